import { type ComponentType, type ReactNode, useId } from 'react'
import { t } from '#web/t.ts'
import { GripIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import css from './builder.module.css'

/** Collapsible card of an item of a step. */
export function ItemCard(props: {
  icon: ComponentType<{ size?: number | string }>
  /** Tone of the icon: positive or negative. */
  tone?: 'pos' | 'neg'
  title: string
  summary: string
  /** True if it can be dragged by its handle, within `SortableItems`. */
  sorts?: boolean
  isOpen: boolean
  commands: readonly Command[]
  onToggle: () => void
  children: ReactNode
}) {
  const { icon: Icon, tone, title, summary, sorts = false, isOpen, commands, onToggle, children } = props
  const id = useId()
  return (
    <li className={css.item} data-open={isOpen || undefined}>
      <div className={css.itemHeader}>
        {sorts && (
          <span className={css.grip} data-grip aria-hidden>
            <GripIcon size={16} />
          </span>
        )}
        <button type="button" id={id} aria-expanded={isOpen} onClick={onToggle}>
          <i data-tone={tone}>
            <Icon size={17} />
          </i>
          <b>{title}</b>
          {!isOpen && <span className="g-cut">{summary}</span>}
        </button>
        <CommandMenu commands={commands} label={t('Ações de {title}', { title })} size={28} />
      </div>
      {isOpen && (
        <div className={css.itemBody} role="group" aria-labelledby={id}>
          {children}
        </div>
      )}
    </li>
  )
}
