import { useMutation } from '@tanstack/react-query'
import { transcriptOf } from '#domain/messages/data.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { mutation } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { transcripts } from '../addresses.ts'
import css from './transcript.module.css'

/** Transcript of a recording, or a button that requests it. */
export function Transcript({ message }: { message: MessageRow }) {
  const make = useMutation(mutation(transcripts.make))
  const text = transcriptOf(message.data) ?? make.data?.text ?? null
  if (text !== null)
    return (
      <p className={css.text}>
        <small>{t('Transcrição')}</small>
        {text}
      </p>
    )
  if (message.isDeleted || !may('copilot:use')) return null
  return (
    <p className={css.ask}>
      <button
        type="button"
        disabled={make.isPending}
        onClick={() => make.mutate({ params: { recordingId: message.id } })}
      >
        {make.isPending ? t('Transcrevendo…') : t('Transcrever')}
      </button>
    </p>
  )
}
