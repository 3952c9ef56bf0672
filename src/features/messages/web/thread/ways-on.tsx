import type { MessageRow } from '#features/ledger/message-rows.ts'
import { errorText } from '#kit/errors.ts'
import '#web/errors.ts'
import { t } from '#web/t.ts'
import { RefreshIcon } from '#web/ui/icons.ts'
import css from '../parts/bubble.module.css'

/** Actions on a message that was not sent. */
type WaysOn = Record<'resend' | 'cancel' | 'trail', (message: MessageRow) => void>

const refusals = {
  edit: t('O canal não aceitou a edição.'),
  revoke: t('O canal não aceitou apagar.'),
  react: t('O canal não aceitou a reação.'),
}

/** Actions beside a message whose edit, revocation or reaction the channel refused. */
export function Refused(props: { message: MessageRow; what: keyof typeof refusals; actions: WaysOn }) {
  const { message, what, actions } = props
  return (
    <span className={css.way}>
      <span>{refusals[what]}</span>
      <button type="button" onClick={() => actions.resend(message)}>
        {t('Tentar de novo')}
      </button>
      <button type="button" onClick={() => actions.cancel(message)}>
        {t('Deixar assim')}
      </button>
    </span>
  )
}

/** Actions beside a message that was not sent, or a question where its delivery is uncertain. */
export function Way({ message, actions }: { message: MessageRow; actions: WaysOn }) {
  if (message.status === 'uncertain')
    return (
      <span className={css.way} data-tone="warn">
        <span>{t('O canal não confirmou. Saiu?')}</span>
        <button type="button" onClick={() => actions.resend(message)}>
          {t('Enviar de novo')}
        </button>
        <button type="button" onClick={() => actions.cancel(message)}>
          {t('Deixar assim')}
        </button>
      </span>
    )
  const reason = message.errorCode ? errorText(message.errorCode) : t('A mensagem não saiu.')
  return (
    <span className={css.way}>
      <span>{reason}</span>
      <button type="button" onClick={() => actions.resend(message)}>
        <RefreshIcon size={15} />
        {t('Reenviar')}
      </button>
      <button type="button" onClick={() => actions.trail(message)}>
        {t('O que fazer')}
      </button>
    </span>
  )
}
