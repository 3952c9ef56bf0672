/** Characters of the SMS alphabet (GSM 03.38), and those that count twice. */
const GSM = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const GSM_TWO = new Set('\f^{}\\[~]|€')

/** Length of a text as SMS: characters per part, and characters left in the last part. */
export type SmsParts = {
  readonly encoding: 'gsm' | 'ucs2'
  readonly units: number
  readonly parts: number
  readonly left: number
}

const PART_SIZES = { gsm: { one: 160, many: 153 }, ucs2: { one: 70, many: 67 } } as const

/** Returns the parts and alphabet of a text as SMS: one character outside of GSM-7 makes all parts 70 characters. */
export function smsPartsOf(text: string): SmsParts {
  const widths = [...text].map((one) => (GSM.has(one) ? 1 : GSM_TWO.has(one) ? 2 : null))
  const isGsm = widths.every((one) => one !== null)
  // A character beyond the basic plane takes two code units, which are not split between parts.
  const sizes = isGsm ? widths : [...text].map((one) => one.length)
  const { one, many } = PART_SIZES[isGsm ? 'gsm' : 'ucs2']
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const encoding = isGsm ? 'gsm' : 'ucs2'
  if (units <= one) return { encoding, units, parts: units === 0 ? 0 : 1, left: one - units }
  let [parts, used] = [1, 0]
  for (const size of sizes) {
    if (used + size > many) [parts, used] = [parts + 1, 0]
    used += size
  }
  return { encoding, units, parts, left: many - used }
}

const PLAIN: Readonly<Record<string, string>> = {
  ...{ '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '…': '...', '•': '-', '\u00a0': ' ' },
  ...{ ª: 'a', º: 'o' },
}

/** Replaces accented letters by plain ones, so that a text needs fewer SMS; characters without a plain form remain. */
export const withoutAccents = (text: string): string =>
  [...text.normalize('NFD').replace(/\p{Mn}/gu, '')].map((one) => PLAIN[one] ?? one).join('')
