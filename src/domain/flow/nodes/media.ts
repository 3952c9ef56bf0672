import type { FlowMedia } from '../flow.ts'
import { explain, rendered, send } from '../run.ts'
import { readMedia } from './fields.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    media: { readonly media: FlowMedia }
  }
}

/** Sends a file. */
export const media: NodeKind<'media'> = {
  types: {
    MediaField: {
      label: 'Documento, vídeo ou áudio',
      form: [
        { key: 'fileId', kind: 'file', label: 'Arquivo' },
        { key: 'caption', kind: 'template', label: 'Legenda' },
      ],
    },
  },
  read: (fields) => ({ media: readMedia(fields) }),
  texts: (one) => [one.media.caption],
  check: (one, { fileIds }) =>
    fileIds.has(one.media.fileId ?? '')
      ? []
      : [['missingFile', 'envia um arquivo que não está guardado: escolha o arquivo de novo.']],
  perform(run, one) {
    if (one.media.fileId === null) explain(run, 'O arquivo não foi enviado: ele não está guardado.')
    else send(run, { type: 'media', media: { ...one.media, caption: rendered(run, one.media.caption) } })
  },
  isRepeated: true,
}
