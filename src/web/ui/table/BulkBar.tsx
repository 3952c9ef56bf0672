import type { ReactNode } from 'react'
import { CloseIcon } from '../icons.ts'
import { available, type Command } from '../layout/command.ts'
import css from './bulk-bar.module.css'

/** Actions on several rows: floats at the bottom while something is selected; `more` offers the whole result. */
export function BulkBar(props: { count: number; commands: readonly Command[]; onClear: () => void; more?: ReactNode }) {
  const { count, commands, onClear, more } = props
  if (count === 0) return null
  return (
    <div className={css.bar} role="toolbar" aria-label="Ações para os selecionados">
      <b className="g-num">{count === 1 ? '1 selecionado' : `${count.toLocaleString('pt-BR')} selecionados`}</b>
      {more}
      {available(commands).map((one) => (
        <button key={one.id} type="button" onClick={one.run}>
          {one.icon && <one.icon size={17} />}
          {one.label}
        </button>
      ))}
      <button type="button" className={css.clear} aria-label="Limpar a seleção" onClick={onClear}>
        <CloseIcon size={17} />
      </button>
    </div>
  )
}
