/** A file of a form that was uploaded. */
export type FormFile = { readonly name: string; readonly bytes: Buffer }

/** The fields and files of a multipart body, by their names, as leniently as the Bot API reads them. */
export function readForm(
  body: Buffer,
  type: string,
): { fields: Record<string, string>; files: Record<string, FormFile> } {
  const boundary = /boundary=(.+)$/.exec(type)![1]!
  const fields: Record<string, string> = {}
  const files: Record<string, FormFile> = {}
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at >= 0; ) {
    const next = body.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const end = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, end).toString()
    const content = part.subarray(end + 4)
    const name = /[;\s]name="([^"]*)"/.exec(head)![1]!
    const file = /filename="?([^"\r\n]*)"?/.exec(head)
    if (file) files[name] = { name: file[1]!, bytes: Buffer.from(content) }
    else fields[name] = content.toString()
    at = next
  }
  return { fields, files }
}
