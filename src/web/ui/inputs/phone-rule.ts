/** Module with every country's numbers; loaded with the first phone field. */
export type Phones = typeof import('./phones.ts')

/** Loads the module of phone numbers. */
export const loadPhones = (): Promise<Phones> => import('./phones.ts')

/** Rule of a phone field: empty, or a number that exists in a known country. */
export const isPhone = async (number: string): Promise<true | string> =>
  number === '' || (await loadPhones()).phoneVerdict(number)
