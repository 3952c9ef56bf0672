import type { ReactNode } from 'react'
import { t } from '../../t.ts'
import { CloseIcon } from '../icons.ts'
import { available, type Command } from '../layout/command.ts'
import css from './bulk-bar.module.css'

/**
 * Actions on selected rows: floats at the bottom of the page while there is a selection, or is placed at the end of its
 * container (`isInside`); `more` offers the whole result.
 */
export function BulkBar(props: {
  count: number
  commands: readonly Command[]
  onClear: () => void
  more?: ReactNode
  /** Further content, behind the actions. */
  end?: ReactNode
  isInside?: boolean
}) {
  const { count, commands, onClear, more, end, isInside } = props
  if (count === 0) return null
  return (
    <div
      className={css.bar}
      data-inside={isInside || undefined}
      role="toolbar"
      aria-label={t('Ações para os selecionados')}
    >
      <b className="g-num">
        {count.toLocaleString('pt-BR')} <span>{count === 1 ? t('selecionado') : t('selecionados')}</span>
      </b>
      {more}
      {available(commands).map((one) => (
        <button key={one.id} type="button" data-act onClick={one.run}>
          {one.icon && <one.icon size={17} />}
          <span>{one.label}</span>
        </button>
      ))}
      {end}
      <button type="button" className={css.clear} aria-label={t('Limpar a seleção')} onClick={onClear}>
        <CloseIcon size={17} />
      </button>
    </div>
  )
}
