import { Readable } from 'node:stream'

/** Answer that is a file, streamed while it is made. */
export type Download = { readonly stream: Readable; readonly contentType: string; readonly name: string }

/** Whether a handler answers a file. */
export const isDownload = (answer: unknown): answer is Download =>
  typeof answer === 'object' && answer !== null && 'stream' in answer && answer.stream instanceof Readable

/** Returns the headers that offer a file for download under its name. */
export const downloadHeaders = ({ contentType, name }: Download) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})
