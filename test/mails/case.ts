import type { ReadMail } from '#providers/channels/webmail/read-mail.ts'

/** Mail of the corpus: its bytes, and the expected result of reading it. */
export type MailCase = {
  readonly name: string
  readonly source: Uint8Array
  /** Expected values; texts are compared whole. */
  readonly reads?: Partial<Omit<ReadMail, 'files' | 'bounce' | 'from'>> & {
    readonly from?: string
    /** Names, or names with the sizes of their bytes. */
    readonly files?: readonly (string | readonly [name: string, bytes: number])[]
    readonly bounce?: Partial<NonNullable<ReadMail['bounce']>> | null
  }
}

/** The company's own address, in all of them. */
export const OWN = 'contato@loja.example'

const HEADER: Readonly<Record<string, string>> = {
  From: 'Ana Souza <ana@cliente.example>',
  To: `Loja <${OWN}>`,
  Subject: 'Pedido',
  Date: 'Fri, 20 Nov 2026 10:00:00 -0300',
  'Message-ID': '<a1@cliente.example>',
}

/** Returns a mail of Ana's with a changed header ('' omits a field); bytes above 127 are written directly (`\xe9`). */
export function mail(header: Readonly<Record<string, string>>, body: string): Uint8Array {
  const rows = Object.entries({ ...HEADER, ...header }).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return Buffer.from(`${rows.join('\r\n')}\r\n\r\n${body.replace(/\r?\n/g, '\r\n')}`, 'latin1')
}

/** Text as its bytes in UTF-8, each as a letter. */
export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Returns a multipart mail's parts, each with its header; `type` is the multipart subtype. */
export function parts(type: string, ...all: readonly (readonly [header: string, body: string])[]) {
  const body = all.map(([header, content]) => `--b1\n${header}\n\n${content}\n`).join('')
  return {
    header: { 'Content-Type': `multipart/${type}; boundary="b1"`, 'MIME-Version': '1.0' },
    body: `${body}--b1--\n`,
  }
}

/** Returns a mail made of these parts. */
export function ofParts(
  header: Readonly<Record<string, string>>,
  type: string,
  ...all: readonly (readonly [header: string, body: string])[]
): Uint8Array {
  const made = parts(type, ...all)
  return mail({ ...made.header, ...header }, made.body)
}

export const base64 = (content: string | Uint8Array): string =>
  (
    Buffer.from(content as Uint8Array)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')
