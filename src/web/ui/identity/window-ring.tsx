import { t } from '../../t.ts'
import { BlockIcon } from '../icons.ts'
import { useNow } from '../use-now.ts'
import css from './window-ring.module.css'

const day = 86_400_000

/** Returns the rest of a messaging window: share of the whole (0–1), text and tone; `until` in epoch ms. */
export function windowLeft(until: number | null, now: number, total: number = day) {
  const left = until === null ? 0 : until - now
  if (left <= 0) return { share: 0, text: t('fechada'), tone: 'closed' as const }
  const minutes = Math.floor(left / 60_000)
  const text = minutes < 60 ? `${minutes}min` : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`
  const share = Math.min(1, left / total)
  return { share, text, tone: share > 0.35 ? ('pos' as const) : share >= 0.12 ? ('warn' as const) : ('neg' as const) }
}

const round = 2 * Math.PI * 6

/** Ring of a messaging window: a 14 px circle filled clockwise with the rest of the 24 hours, always beside its text. */
export function WindowRing({ until, pill = false }: { until: number | null; pill?: boolean }) {
  const { share, text, tone } = windowLeft(until, useNow())
  return <Ring share={share} tone={tone} label={t('Janela de 24 horas:')} text={text} pill={pill} />
}

/** Ring of 14 px that shows a remaining share, beside its text; `label` is its accessible name. */
export function Ring(props: {
  /** Remaining share from 0 to 1. */
  share: number
  tone: 'pos' | 'warn' | 'neg' | 'closed'
  label: string
  text: string
  title?: string
  pill?: boolean
}) {
  const { share, tone, label, text, title, pill = false } = props
  return (
    <span className={css.window} data-tone={tone} data-pill={pill || undefined} title={title}>
      {tone === 'closed' ? (
        <BlockIcon size={15} />
      ) : (
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <circle className={css.track} cx="7" cy="7" r="6" />
          <circle className={css.left} cx="7" cy="7" r="6" strokeDasharray={`${round * share} ${round}`} />
        </svg>
      )}
      <span className="g-hidden">{label} </span>
      <span>{text}</span>
    </span>
  )
}
