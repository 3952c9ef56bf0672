import type { Phone } from '#domain/phone/phone.ts'

/** `parsePhone` with what is known of the world's numbers, which is loaded with the first one that somebody writes. */
export async function readPhone(text: string): Promise<Phone | null> {
  const [{ parsePhone }, { default: metadata }] = await Promise.all([
    import('#domain/phone/phone.ts'),
    import('libphonenumber-js/min/metadata'),
  ])
  return parsePhone(text, metadata)
}
