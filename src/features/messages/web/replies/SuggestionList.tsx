import { useEffect, useRef } from 'react'
import { plural, t } from '#web/t.ts'
import { Keys } from '#web/ui/identity/badges.tsx'
import type { Asked, Suggestion } from '../mentions/suggestions.ts'
import css from './suggestion-list.module.css'

/** Suggestion list above the composer's text; arrows and Enter are handled by the text field. */
export function SuggestionList(props: {
  listId: string
  asked: Asked
  items: readonly Suggestion[]
  count: number
  at: number
  onPick: (index: number) => void
}) {
  const { listId: id, asked, items, count, at, onPick } = props
  const isReply = asked.sign === '/'
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div className={css.suggestions}>
      <Found asked={asked} count={count} canPick={items.length > 0} />
      <div
        ref={list}
        id={id}
        className={css.options}
        role="listbox"
        aria-label={isReply ? t('Mensagens rápidas') : t('Mencionar')}
      >
        {items.map((item, index) => (
          <div
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={css.option}
            onPointerDown={(event) => {
              event.preventDefault() // the caret stays in the text
              onPick(index)
            }}
          >
            <b className="g-cut">{item.title}</b>
            <span className="g-cut">{item.key}</span>
            <span className="g-cut">{item.preview}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** Number of suggestions for the typed text, and the keys that choose one. */
function Found({ asked: { sign, typed }, count, canPick }: { asked: Asked; count: number; canPick: boolean }) {
  return (
    <p className={css.found}>
      <span>
        {sign === '/'
          ? plural(count, t('mensagem rápida'), t('mensagens rápidas'))
          : plural(count, t('pessoa ou equipe'), t('pessoas e equipes'))}{' '}
        {typed && (
          <>
            {t('com')} <b>{sign + typed}</b>
          </>
        )}
      </span>
      {canPick && (
        <span className={css.how}>
          <Keys of="up" /> <Keys of="down" /> {t('escolher')} <Keys of="enter" /> {t('usar')}
        </span>
      )}
    </p>
  )
}
