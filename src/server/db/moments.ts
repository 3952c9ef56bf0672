/** Minimum length of a timestamp: `2026-11-27 00:25:10.432+00`, with three to six digits of a second or none. */
const LEAST = 22
const MOST = 29

/**
 * Returns a parser of PostgreSQL's UTC timestamps that reads digits by position (a page has sixty of them, and a
 * regular expression takes six times as long); other forms go to `other`.
 */
export const momentParser =
  (other: (text: string) => Date) =>
  (text: string): Date => {
    const { length } = text
    const isPlain = length >= LEAST && length <= MOST && text[4] === '-' && text.endsWith('+00')
    if (!isPlain) return other(text)
    const digit = (at: number) => (at < length - 3 ? text.charCodeAt(at) - 48 : 0)
    const two = (at: number) => digit(at) * 10 + digit(at + 1)
    const year = two(0) * 100 + two(2)
    if (year < 100) return other(text)
    const ms = digit(20) * 100 + digit(21) * 10 + digit(22)
    return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), ms))
  }
