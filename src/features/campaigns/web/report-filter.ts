/** Which recipients the report shows, as its address has them. */
export type Filter = Partial<Record<'state' | 'replied' | 'optedOut' | 'clicked' | 'message', string>>
/** No filter of the report. */
export const NONE: Record<keyof Filter, undefined> = {
  state: undefined,
  replied: undefined,
  optedOut: undefined,
  clicked: undefined,
  message: undefined,
}
