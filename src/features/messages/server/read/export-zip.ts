import type { Readable } from 'node:stream'
import type { MessageRecord } from '#features/ledger/server/messages/index.ts'
import type { Platform } from '#server/platform.ts'
import { conversationPdf, type Exported } from './export-pdf.ts'

/** Returns a ZIP stream of a conversation: its PDF and all of its files, under the number and name printed in the PDF. */
export async function conversationZip(platform: Platform, exported: Exported): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  const files: { name: string; path: string }[] = []
  const messages = (async function* () {
    for await (const page of exported.messages) {
      files.push(...page.flatMap((message) => fileOf(message) ?? []))
      yield page
    }
  })()
  const paper = await conversationPdf({ ...exported, messages })
  paper.once('error', (error) => stream.destroy(error))
  zip.on('error', (error: Error) => stream.destroy(error))
  zip.addReadStream(paper, `${exported.name}.pdf`, { mtime: exported.now })
  paper.once('end', () => {
    for (const [index, { name, path }] of files.entries())
      zip.addReadStreamLazy(
        `arquivos/${String(index + 1).padStart(4, '0')}-${name}`,
        { mtime: exported.now, compress: false },
        (take) => take(null, platform.storage.read(path)),
      )
    zip.end()
  })
  stream.once('close', () => paper.destroy())
  return stream
}

// Replaces path separators in file names.
const fileOf = ({ is_deleted, file_name, file_path }: MessageRecord) =>
  is_deleted || !file_path || !file_name
    ? null
    : { name: file_name.replace(/[\\/:\u0000-\u001f]+/g, '_'), path: file_path }
