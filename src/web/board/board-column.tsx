import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { sentence } from '#web/api.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Stage } from '#web/ui/identity/badges.tsx'
import css from './board.module.css'

// Minimum height of a card, in pixels.
const LOWEST_CARD = 150

/** Returns the maximum number of cards drawn in a column: first those that fit the window, then all. */
export const useMostCards = (): number =>
  useDeferredValue(Number.POSITIVE_INFINITY, Math.ceil(window.innerHeight / LOWEST_CARD))

/** Column of a board: its name and count, its cards, and more of them as their end comes near. */
export function BoardColumn(props: {
  name: string
  color: string
  count: number
  countIsCapped: boolean
  hasMore: boolean
  onMore: () => Promise<void>
  isOver?: boolean
  /** Content below the column's name, and at the end of that line. */
  facts?: ReactNode
  tool?: ReactNode
  children: ReactNode
}) {
  const { name, color, count, countIsCapped, hasMore, onMore, isOver, facts, tool, children } = props
  return (
    <section className={css.column} aria-label={name} data-over={isOver || undefined}>
      <header>
        <h2>
          <Stage name={name} color={color} />
        </h2>
        <span className="g-num">
          {formatNumber(count)}
          {countIsCapped && '+'}
        </span>
        {tool}
        {facts && <div className={css.facts}>{facts}</div>}
      </header>
      {children}
      {hasMore && <More name={name} onMore={onMore} />}
    </section>
  )
}

/** Placeholder of a board that is loading. */
export function BoardSkeleton() {
  return (
    <div className={css.board} data-canvas>
      {[1, 2, 3, 4].map((column) => (
        <div key={column} className={css.column}>
          <SkeletonRows kind="card" rows={4} />
        </div>
      ))}
    </div>
  )
}

/** Loads the next page when it scrolls into view; a button for keyboard and screen reader users. */
function More({ name, onMore }: { name: string; onMore: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const load = useRef(async () => {})
  load.current = async () => {
    if (busy) return
    setBusy(true)
    await onMore().catch((error: unknown) => notify({ tone: 'neg', title: sentence(error) }))
    setBusy(false)
  }
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load.current(), {
      rootMargin: '300px',
    })
    seen.observe(button.current!)
    return () => seen.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className={css.more} disabled={busy} onClick={() => void load.current()}>
      {t('Mostrar mais')} <span className="g-hidden">{t('de {name}', { name })}</span>
    </button>
  )
}
