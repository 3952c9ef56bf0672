import { Suspense, useMemo } from 'react'
import type { TicketView } from '#features/tickets/views-contract.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useCommands } from '#web/shell/commands.ts'
import { plural, t } from '#web/t.ts'
import { ViewsIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import list from '../lists/list.module.css'
import { type ListFilter, plainFilter } from '../lists/list-filter.ts'
import { aboutView } from './about.ts'
import { askedView, filterOf, isShown, useViewCounts, useViews } from './views.ts'

const SaveView = lazyPart(async () => (await import('./SaveView.tsx')).SaveView)
const ArrangeViews = lazyPart(async () => (await import('./ArrangeViews.tsx')).ArrangeViews)

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

const none: readonly TicketView[] = []
/** Number of views with a keyboard shortcut. */
const keyed = 9

/** Saved views above the list, each with its counter; the first nine with the keys V and a digit. */
export function SavedViews({ filter, onFilter }: Part) {
  const views = useViews() ?? none
  const counts = useViewCounts(views.length > 0)
  const asked = askedView.use()
  const close = () => askedView.set(null)
  const commands = useMemo<Command[]>(
    () =>
      views.map((view, n) => ({
        id: `view-${view.id}`,
        group: t('Visões'),
        label: view.name,
        icon: ViewsIcon,
        ...(n < keyed ? { shortcut: `v ${n + 1}` } : {}),
        run: () => onFilter(filterOf(view)),
      })),
    [views, onFilter],
  )
  useCommands(commands)
  return (
    <>
      {views.length > 0 && (
        <div className={`${list.chips} ${list.views}`} role="group" aria-label={t('Visões')}>
          {views.map((view, n) => {
            const isOn = isShown(view, filter)
            const count = counts.get(view.id) ?? 0
            const { tab, isGroup } = filter
            return (
              <button
                key={view.id}
                type="button"
                aria-pressed={isOn}
                title={titleOf(view, n)}
                onClick={() => onFilter(isOn ? { ...plainFilter, tab, isGroup: isGroup ?? false } : filterOf(view))}
              >
                <span className="g-cut">{view.name}</span>
                {count > 0 && (
                  <b>
                    {count > 99 ? '99+' : count}
                    <span className="g-hidden"> {plural(count, t('atendimento'), t('atendimentos'))}</span>
                  </b>
                )}
                {view.missing.length > 0 && <i className={list.mark} />}
              </button>
            )
          })}
        </div>
      )}
      <Suspense>
        {asked?.what === 'save' && <SaveView view={asked.view} filter={filter} onClose={close} />}
        {asked?.what === 'arrange' && <ArrangeViews views={views} filter={filter} onClose={close} />}
      </Suspense>
    </>
  )
}

const titleOf = (view: TicketView, n: number): string =>
  n < keyed ? `${aboutView(view)} (V ${n + 1})` : aboutView(view)
