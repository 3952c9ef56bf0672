import { TextInput } from '@mantine/core'
import { memo, type Ref, Suspense, useEffect, useState } from 'react'
import type { ListTab } from '#domain/tickets/filter.ts'
import { Tip } from '#features/messages/web/parts/Tip.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { useUnreadIn } from '#web/shell/attention.ts'
import { plural, t } from '#web/t.ts'
import { CloseIcon, FilterIcon, NewConversationIcon, SearchIcon } from '#web/ui/icons.ts'
import { Counter, Keys } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import type { Tab } from '../choices/bucket.ts'
import { mentionCounts } from '../followed/counts.ts'
import css from '../lists/list.module.css'
import { countChoices, isFigure, type ListFilter, type Scope } from '../lists/list-filter.ts'
import { type Counts, useCounts } from '../lists/lists.ts'

const FigureBar = lazyPart(async () => (await import('./FigureBar.tsx')).FigureBar)
const ListTools = lazyPart(async () => (await import('./ListTools.tsx')).ListTools)
const SavedViews = lazyPart(async () => (await import('../views/SavedViews.tsx')).SavedViews)
const filterParts = () => import('./filter-parts.ts')
const ActiveFilters = lazyPart(async () => (await filterParts()).ActiveFilters)
const FilterPanel = lazyPart(async () => (await filterParts()).FilterPanel)

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

/**
 * Header of the list: title, search, filter, kind, tabs with counters, chips. Memoised: opening a ticket does not re-render
 * it.
 */
export const ListHeader = memo(function ListHeader(
  props: Part & { searchRef: Ref<HTMLInputElement>; onStart: (() => void) | undefined },
) {
  const { filter, onFilter, searchRef, onStart } = props
  const counts = useCounts()
  return (
    <header className={css.header}>
      <div className={css.title}>
        <h1 className="g-title">{t('Atendimentos')}</h1>
        <Suspense>
          <ListTools filter={filter} onFilter={onFilter} />
        </Suspense>
        {onStart && (
          <Tip label={t('Iniciar conversa')} shortcut="c" position="below-end">
            <IconButton aria-label={t('Iniciar conversa')} onClick={onStart}>
              <NewConversationIcon size={19} />
            </IconButton>
          </Tip>
        )}
      </div>
      <div className={css.find}>
        <Search ref={searchRef} value={filter.search} onChange={(search) => onFilter({ search })} />
        <FilterButton filter={filter} onFilter={onFilter} />
      </div>
      {!filter.search && (
        <>
          {isFigure(filter) ? (
            <Suspense fallback={<p className={css.results} />}>
              <FigureBar filter={filter} onFilter={onFilter} />
            </Suspense>
          ) : (
            <>
              <Kinds filter={filter} onFilter={onFilter} counts={counts} />
              <Tabs filter={filter} onFilter={onFilter} counts={counts} />
            </>
          )}
          <div data-pushed className={css.quick}>
            {!filter.mentions && <Chips filter={filter} onFilter={onFilter} waiting={counts?.waiting ?? 0} />}
            <Suspense>
              <SavedViews filter={filter} onFilter={onFilter} />
            </Suspense>
          </div>
        </>
      )}
      {countChoices(filter) > 0 && (
        <Suspense>
          <ActiveFilters filter={filter} onFilter={onFilter} />
        </Suspense>
      )}
      {filter.search && (
        <p className={css.results}>
          {t('Resultados em todas as situações')}
          <button type="button" onClick={() => onFilter({ search: '' })}>
            {t('Limpar')}
          </button>
        </p>
      )}
    </header>
  )
})

const shown = (count: number | undefined) => (count === undefined ? '' : count > 999 ? '999+' : count)

/** Mark of unread tickets of the person in hidden tabs. */
function UnreadMark({ tabs }: { tabs: readonly (Tab | ListTab)[] }) {
  const count = useUnreadIn(tabs)
  if (count === 0) return null
  return (
    <i className={css.mark}>
      <span className="g-hidden">{plural(count, t('não lida'), t('não lidas'))}</span>
    </i>
  )
}

function Kinds({ filter, onFilter, counts }: Part & { counts: Counts | undefined }) {
  const kinds = [
    [false, t('Conversas'), counts && counts.open + counts.pending],
    [true, t('Grupos'), counts?.groups],
  ] as const
  return (
    <div className={css.kinds} role="group" aria-label={t('Tipo de conversa')}>
      {kinds.map(([isGroup, name, count]) => (
        <button
          key={name}
          type="button"
          aria-pressed={!filter.mentions && filter.isGroup === isGroup}
          onClick={() => onFilter({ isGroup, mentions: false })}
        >
          {name} {isSettingOn('universalCounter') && <span>{shown(count)}</span>}
          {filter.isGroup !== isGroup && <UnreadMark tabs={isGroup ? ['groups'] : ['open', 'pending']} />}
        </button>
      ))}
    </div>
  )
}

const hasKeyboard = matchMedia('(hover: hover)').matches

function Search(props: { ref: Ref<HTMLInputElement>; value: string; onChange: (value: string) => void }) {
  const { ref, value, onChange } = props
  const [text, setText] = useState(value)
  const [reported, setReported] = useState(value)
  if (value !== reported) {
    setReported(value)
    setText(value)
  }
  useEffect(() => {
    const next = text.trim()
    if (next === reported) return
    const timer = setTimeout(() => {
      setReported(next)
      onChange(next)
    }, 250)
    return () => clearTimeout(timer)
  }, [text, reported, onChange])
  return (
    <TextInput
      ref={ref}
      className={css.search ?? ''}
      type="search"
      value={text}
      placeholder={t('Nome, número, protocolo ou mensagem')}
      aria-label={t('Buscar atendimentos e mensagens')}
      leftSection={<SearchIcon size={17} />}
      rightSection={
        text ? (
          <IconButton size={24} aria-label={t('Limpar busca')} onClick={() => setText('')}>
            <CloseIcon size={15} />
          </IconButton>
        ) : (
          hasKeyboard && <Keys of="/" />
        )
      }
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !text) return
        event.stopPropagation()
        setText('')
      }}
    />
  )
}

function FilterButton({ filter, onFilter }: Part) {
  const [open, setOpen] = useState(false)
  const count = countChoices(filter)
  return (
    <span className={css.filter}>
      <IconButton
        size={36}
        aria-label={count > 0 ? t('Filtros: {count}', { count }) : t('Filtros')}
        aria-expanded={open}
        data-active={count > 0 || undefined}
        onClick={() => setOpen(true)}
      >
        <FilterIcon size={18} />
      </IconButton>
      <span className={css.filterCount}>
        <Counter value={count} small />
      </span>
      {open && (
        <Suspense>
          <FilterPanel filter={filter} onFilter={onFilter} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}

const tabs = [
  ['open', t('Abertos')],
  ['pending', t('Pendentes')],
  ['chatbot', t('Chatbot')],
  ['snoozed', t('Adiados')],
  ['closed', t('Resolvidos')],
] as const

function Tabs({ filter, onFilter, counts }: Part & { counts: Counts | undefined }) {
  const { mentions } = filter
  const { unseen, any } = mentionCounts.use()
  return (
    <div data-pushed className={css.tabs} role="group" aria-label={t('Situação')}>
      {tabs.map(([tab, name]) => {
        // The chatbot tab depends on a setting; the snoozed tab shows only while a ticket is snoozed.
        const isThere = tab === 'chatbot' ? isSettingOn('showChatBot') : tab !== 'snoozed' || counts?.snoozed
        if (!isThere && filter.tab !== tab) return null
        const count = tab === 'closed' || filter.isGroup ? undefined : counts?.[tab]
        return (
          <button
            key={tab}
            type="button"
            data-tab={tab}
            aria-pressed={!mentions && filter.tab === tab}
            onClick={() => onFilter({ tab, mentions: false })}
          >
            {name}
            {tab === 'pending' ? (
              <Counter value={count ?? 0} tone="accent" />
            ) : (
              <span className={css.count}>{shown(count)}</span>
            )}
            {!filter.isGroup && filter.tab !== tab && <UnreadMark tabs={[tab]} />}
          </button>
        )
      })}
      {(any || mentions) && (
        <button type="button" aria-pressed={mentions} onClick={() => onFilter({ mentions: true })}>
          {t('Menções')}
          <Counter value={unseen} tone="accent" />
        </button>
      )}
    </div>
  )
}

const chips: readonly [Scope, string][] = [
  ['mine', t('Minhas')],
  ['unassigned', t('Sem responsável')],
  ['waiting', t('Esperando por nós')],
]

function Chips({ filter, onFilter, waiting }: Part & { waiting: number }) {
  return (
    <div className={css.chips} role="group" aria-label={t('Mostrar só')}>
      {chips.map(([scope, name]) => (
        <button
          key={scope}
          type="button"
          aria-pressed={filter.scope === scope}
          onClick={() => onFilter({ scope: filter.scope === scope ? null : scope })}
        >
          {name}
          {scope === 'waiting' && waiting > 0 && <b>{shown(waiting)}</b>}
        </button>
      ))}
    </div>
  )
}
