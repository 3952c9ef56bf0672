import type { Health } from '#domain/connections/health.ts'
import { formatSpan } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import css from './health.module.css'

/** What the bars say, in words: “no ar 98,6% do tempo, 1 queda, 30 min fora”. */
export function healthText({ outages, awayMs, knownMs }: Health): string {
  if (knownMs <= 0) return t('sem registro')
  if (outages === 0) return t('sem quedas')
  const share = (Math.floor((1 - awayMs / knownMs) * 1000) / 10).toLocaleString('pt-BR')
  const away = awayMs < 60_000 ? t('menos de 1 min') : formatSpan(awayMs)
  return t('no ar {share}% do tempo, {outages}, {away} fora', {
    ...{ share, away },
    outages: plural(outages, t('queda'), t('quedas')),
  })
}

/** The last 36 hours of a connection, a bar for each, the newest at the right; opens when and why it was away. */
export function HealthBar({ name, health, onOpen }: { name: string; health: Health; onOpen: () => void }) {
  const text = healthText(health)
  return (
    <button
      type="button"
      className={css.health}
      aria-label={t('Últimas 36 horas de {name}: {text}. Ver quedas', { name, text })}
      onClick={onOpen}
    >
      <span className={css.bars}>
        {health.hours.map((hour, n) => (
          <i key={n} data-hour={hour} />
        ))}
      </span>
      <span className={css.words}>
        <span>{t('36 h')}</span>
        <span className="g-cut">{text}</span>
      </span>
    </button>
  )
}
