import type { Health } from '#domain/connections/health.ts'
import { t } from '#web/t.ts'
import css from './health.module.css'
import { healthText } from './labels.ts'

/** Availability of a connection in the last 36 hours, one bar for each, newest at the right; opens the list of its outages. */
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
