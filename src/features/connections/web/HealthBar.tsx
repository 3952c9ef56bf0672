import type { Health } from '#domain/connections/health.ts'
import { t } from '#web/t.ts'
import css from './health.module.css'
import { healthText } from './labels.ts'

/** The last 36 hours of a connection, a bar for each, the newest at the right; opens when and why it was away. */
export function HealthBar({ name, health, onOpen }: { name: string; health: Health; onOpen: () => void }) {
  const text = healthText(health)
  return (
    <button type="button" className={css.health} onClick={onOpen}>
      <span className="g-hidden">{t('Ver quedas de {name}:', { name })}</span>
      <span className={css.bars}>
        {health.hours.map((hour, n) => (
          <i key={n} data-hour={hour} />
        ))}
      </span>
      <span className={css.labels}>
        <span>{t('36 h')}</span> <span>{text}</span>
      </span>
    </button>
  )
}
