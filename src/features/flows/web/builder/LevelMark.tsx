import { t } from '#web/t.ts'
import { ErrorIcon, WarningIcon } from '#web/ui/icons.ts'
import css from './builder.module.css'

/** Icon of an error or warning, with an accessible label. */
export function LevelMark({ level }: { level: 'error' | 'warning' | null }) {
  if (!level) return null
  const label = level === 'error' ? t('Tem erro') : t('Tem aviso')
  const Icon = level === 'error' ? ErrorIcon : WarningIcon
  return (
    <span className={css.mark} data-level={level} role="img" aria-label={label} title={label}>
      <Icon size={16} />
    </span>
  )
}
