import { t } from '../../t.ts'
import { CheckIcon, ClockIcon, DoubleCheckIcon, ErrorIcon, UnsureIcon } from '../icons.ts'
import css from './ticks.module.css'

/** The steps of an outgoing message that a tick can show (decision B8). */
type TickStatus =
  | 'pending'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'played'
  | 'failed'
  | 'canceled'
  | 'uncertain'
  | 'received'

const looks: Record<Exclude<TickStatus, 'received'>, { Icon: typeof CheckIcon; label: string; tone?: string }> = {
  pending: { Icon: ClockIcon, label: t('Aguardando') },
  queued: { Icon: ClockIcon, label: t('Na fila') },
  sent: { Icon: CheckIcon, label: t('Enviada') },
  delivered: { Icon: DoubleCheckIcon, label: t('Entregue') },
  read: { Icon: DoubleCheckIcon, label: t('Lida'), tone: 'read' },
  played: { Icon: DoubleCheckIcon, label: t('Ouvida'), tone: 'read' },
  failed: { Icon: ErrorIcon, label: t('Não enviada'), tone: 'neg' },
  canceled: { Icon: ErrorIcon, label: t('Cancelada') },
  uncertain: { Icon: UnsureIcon, label: t('Envio incerto'), tone: 'warn' },
}

/** Tick of an outgoing message; an incoming one has none. */
export function Ticks({ status, size = 15 }: { status: TickStatus; size?: number }) {
  if (status === 'received') return null
  const { Icon, label, tone } = looks[status]
  return (
    <span className={css.ticks} data-tone={tone} role="img" aria-label={label} title={label}>
      <Icon size={size} />
    </span>
  )
}
