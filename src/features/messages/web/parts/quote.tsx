import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import { shownText } from '#domain/messages/signature.ts'
import { MESSAGE_TYPE_LABELS } from '#domain/messages/types.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { t } from '#web/t.ts'
import css from './bubble.module.css'

/** Message that another one quotes. */
export type Quoted = NonNullable<MessageRow['quotedMsg']>

/** Returns a one-line preview of a message for quotes: its text, or its kind. */
export function quotePreview(
  message: Pick<MessageRow, 'fromMe' | 'body' | 'userName' | 'mediaType' | 'mediaName'>,
): string {
  const { mediaType, mediaName } = message
  const text = plainText(shownText(message)).replace(/\s+/g, ' ').trim()
  if (mediaType === 'text' || mediaType === 'note') return text
  return text || (mediaType === 'document' && mediaName) || MESSAGE_TYPE_LABELS[mediaType]
}

/** Quoted message; a click shows the original. */
export function Quote({ quoted, onOpen }: { quoted: Quoted; onOpen?: () => void }) {
  const text = plainText(shownText({ ...quoted, userName: quoted.author }))
  const content = (
    <>
      <b>{quoted.author || (quoted.fromMe ? t('Você') : t('Contato'))}</b>
      <span className="g-cut">{previewOf({ type: quoted.mediaType, body: text, mediaName: quoted.mediaName })}</span>
    </>
  )
  if (!onOpen) return <span className={css.quote}>{content}</span>
  return (
    <button type="button" className={css.quote} onClick={onOpen} title={t('Ver a mensagem citada')}>
      {content}
    </button>
  )
}
