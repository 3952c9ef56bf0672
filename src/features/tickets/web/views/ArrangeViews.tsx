import { Modal } from '@mantine/core'
import { ticketViews } from '#features/tickets/views-addresses.ts'
import type { TicketView } from '#features/tickets/views-contract.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon, EditIcon, FilterIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import type { ListFilter } from '../lists/list-filter.ts'
import { aboutView } from './about.ts'
import css from './views.module.css'
import { askedView, moveView, removeView, viewOf } from './views.ts'

/** Dialog of the views in order: rename, move, replace the filter by the current one, remove. */
export function ArrangeViews(props: { views: readonly TicketView[]; filter: ListFilter; onClose: () => void }) {
  const { views, filter, onClose } = props
  const commandsOf = (view: TicketView): Command[] => {
    const group = views.filter((one) => one.audience === view.audience)
    const at = group.indexOf(view)
    const body = { filter: viewOf(filter) }
    return [
      {
        id: 'rename',
        label: t('Mudar nome e alcance'),
        icon: EditIcon,
        run: () => askedView.set({ what: 'save', view }),
      },
      {
        id: 'up',
        label: t('Mover para cima'),
        icon: ArrowUpIcon,
        when: () => at > 0,
        run: () => void moveView(views, view, -1),
      },
      {
        id: 'down',
        label: t('Mover para baixo'),
        icon: ArrowDownIcon,
        when: () => at < group.length - 1,
        run: () => void moveView(views, view, 1),
      },
      {
        id: 'refilter',
        label: t('Usar o filtro atual'),
        icon: FilterIcon,
        run: () =>
          void attempt(
            () => call(ticketViews.update, { params: { id: view.id }, body }, { quiet: true }),
            t('Visão {name} salva', { name: view.name }),
          ),
      },
      { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void removeView(view) },
    ]
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Visões')}>
      {views.length === 0 && (
        <p className={css.none}>
          {t('Filtre a lista como preferir e salve como visão: ela fica acima da lista, com o seu contador.')}
        </p>
      )}
      <ul className={css.views}>
        {views.map((view) => (
          <li key={view.id}>
            <NameCell name={view.name} detail={aboutView(view)} />
            {view.mayChange && (
              <CommandMenu commands={() => commandsOf(view)} label={t('Ações de {name}', { name: view.name })} />
            )}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
