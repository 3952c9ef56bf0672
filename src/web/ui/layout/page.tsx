import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../t.ts'
import { CloseIcon, SearchIcon } from '../icons.ts'
import { Keys } from '../identity/badges.tsx'
import css from './page.module.css'

/** Page of the shell: margins by width, content at most 1560 px. */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return (
    <main className={css.page} data-wide={wide || undefined}>
      {children}
    </main>
  )
}

/** Header of a page: title, one line of facts below, `icon` (42 px) before both, actions at right with at most one primary. */
export function PageHeader(props: { title: string; icon?: ReactNode; facts?: ReactNode; actions?: ReactNode }) {
  const { title, icon, facts, actions } = props
  const titles = (
    <div>
      <h1>{title}</h1>
      {facts && <p>{facts}</p>}
    </div>
  )
  return (
    <header className={css.header}>
      {icon ? (
        <div className={css.named}>
          {icon}
          {titles}
        </div>
      ) : (
        titles
      )}
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  )
}

/** Search field, debounced by 250 ms; `/` focuses it from anywhere on the page, Esc empties it. */
export function SearchField(props: { value: string; onChange: (value: string) => void; placeholder: string }) {
  const { value, onChange, placeholder } = props
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const reported = useRef(value)
  useEffect(() => {
    if (value !== reported.current) setText(value)
    reported.current = value
  }, [value])
  useEffect(() => {
    if (text === reported.current) return
    const timer = setTimeout(() => {
      reported.current = text
      onChange(text)
    }, 250)
    return () => clearTimeout(timer)
  }, [text, onChange])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isWriting(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <TextInput
      ref={field}
      className={css.search}
      type="search"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && setText('')}
      placeholder={placeholder}
      aria-label={placeholder}
      leftSection={<SearchIcon size={17} />}
      rightSection={
        text ? undefined : (
          <span className={css.searchKeys}>
            <Keys of="/" />
          </span>
        )
      }
    />
  )
}

/** True while the keyboard writes text, so single-letter shortcuts stay silent. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/**
 * Filter chip that is on or off; when on it shows × (or its value) in brand-soft. `opened`: it opens a popover, and whether
 * that is open; `expands`: it shows or hides the element with an id.
 */
export function FilterChip(props: {
  label: string
  active: boolean
  opened?: boolean
  expands?: { readonly id: string; readonly isOpen: boolean }
  onClick: () => void
  onClear?: () => void
}) {
  const { label, active, opened, expands, onClick, onClear } = props
  const aria = expands
    ? { 'aria-controls': expands.id, 'aria-expanded': expands.isOpen }
    : opened === undefined
      ? { 'aria-pressed': active }
      : { 'aria-haspopup': 'dialog', 'aria-expanded': opened }
  return (
    <span className={css.chip} data-active={active || undefined}>
      <button type="button" {...(aria as object)} onClick={onClick}>
        {label}
      </button>
      {active && onClear && (
        <button
          type="button"
          className={css.clear}
          aria-label={t('Limpar filtro {label}', { label })}
          onClick={onClear}
        >
          <CloseIcon size={14} />
        </button>
      )}
    </span>
  )
}

/** Card on the page: 12 px corners, hairline edge; `title` at 14.5/580 with `actions` at right. */
export function Card({
  id,
  title,
  actions,
  children,
  flush,
}: {
  id?: string
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  flush?: boolean
}) {
  return (
    <section id={id} className={css.card} data-flush={flush || undefined}>
      {(title || actions) && (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}
