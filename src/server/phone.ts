import type { Phone } from '#domain/phone/phone.ts'

/** `parsePhone` with the metadata. */
export type ReadPhone = (text: string) => Phone | null
let reader: Promise<ReadPhone> | undefined

/** Loads `parsePhone` with its metadata on first use. */
export const phoneReader = (): Promise<ReadPhone> => {
  reader ??= Promise.all([import('#domain/phone/phone.ts'), import('libphonenumber-js/min/metadata')]).then(
    ([{ parsePhone }, { default: metadata }]) =>
      (text) =>
        parsePhone(text, metadata),
  )
  return reader
}

/** Parses one text with `phoneReader`. */
export const readPhone = async (text: string): Promise<Phone | null> => (await phoneReader())(text)
