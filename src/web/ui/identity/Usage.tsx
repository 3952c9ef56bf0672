import { t } from '../../t.ts'
import css from './badges.module.css'

/** Usage of a limit: “18 de 25” over a 4 px bar, amber when full. */
export function Usage({ used, limit }: { used: number; limit: number }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 1
  return (
    <span className={css.usage} data-full={share >= 1 || undefined}>
      <span>
        <b>{used}</b> {t('de {limit}', { limit })}
      </span>
      <i style={{ '--share': share }} />
    </span>
  )
}
