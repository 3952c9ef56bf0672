/** Mail in a folder; `claims` is the size that the server reports, if it is wrong. */
export type StoredMail = { uid: number; flags: Set<string>; at: Date; source: Buffer; claims?: number }

/** A folder; its numbers hold while `validity` does. */
export type Folder = { path: string; use: string | null; validity: number; next: number; mails: StoredMail[] }

/** Puts a mail at the end of a folder. */
export function put(
  folder: Folder,
  source: Buffer,
  { at, flags = [] }: { at: Date; flags?: readonly string[] },
): StoredMail {
  const mail: StoredMail = { uid: folder.next++, flags: new Set(flags), at, source }
  folder.mails.push(mail)
  return mail
}

/** The mails of a set of numbers (`1:3,7,9:*`). */
export function ofSet(folder: Folder, set: string): StoredMail[] {
  const highest = folder.mails.at(-1)?.uid ?? 0
  const number = (text: string) => (text === '*' ? highest : Number(text))
  const ranges = set.split(',').map((part) => {
    const [from = '', to = from] = part.split(':')
    return [number(from), number(to)].sort((a, b) => a - b) as [number, number]
  })
  return folder.mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to))
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A moment as IMAP writes it. */
export function imapDate(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = String(at.getUTCDate()).padStart(2, ' ')
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')
  return `${day}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()} ${time} +0000`
}

/** Returns the mails that match a search: by number, day, or header. */
export function found(folder: Folder, query: string): StoredMail[] {
  const since = query.match(/SINCE "?(\d{1,2}-\w{3}-\d{4})"?/i)?.[1]
  const header = query.match(/HEADER "?([\w-]+)"? "?([^"\r\n]*)"?/i)
  const set = query.match(/\bUID ([\d:*,]+)/i)?.[1]
  return (set ? ofSet(folder, set) : folder.mails).filter(({ at, source }) => {
    if (since && at < new Date(`${since} 00:00:00 UTC`)) return false
    const [, name, value] = header ?? []
    if (!name) return true
    const rows = source
      .toString('latin1')
      .split(/\r\n\r\n/, 1)[0]!
      .replace(/\r\n[ \t]+/g, ' ')
    return rows
      .split('\r\n')
      .some((row) => row.toLowerCase().startsWith(`${name.toLowerCase()}:`) && row.includes(value!.trim()))
  })
}
