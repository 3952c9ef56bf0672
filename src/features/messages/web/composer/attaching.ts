import type { Attachment, Part } from '../outbox/attachments.ts'

/** Loads what reads, converts and splits attachments. */
export const attaching = () => import('../outbox/attachments.ts')

/** Splits a text and its files into the messages to send. */
export const messageParts = async (
  body: string,
  files: readonly Attachment[],
  quoted: Part['quoted'],
): Promise<Part[]> =>
  files.length === 0 ? [{ body, file: null, quoted }] : (await attaching()).partsOf(body, files, quoted)
