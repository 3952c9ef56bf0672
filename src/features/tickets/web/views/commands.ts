import { may } from '#web/session/permissions.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import { ClockIcon, ContactsIcon, SaveViewIcon, ShowIcon, SlaIcon, ViewsIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { readAll } from '../bulk/run.tsx'
import type { ListFilter } from '../lists/list-filter.ts'
import { askedView } from './views.ts'

/** Returns the commands of the list's menu. */
export const listCommands = (
  filter: ListFilter,
  onFilter: (change: Partial<ListFilter>) => void,
): readonly Command[] => [
  {
    id: 'unanswered-first',
    label: t('Não respondidos primeiro'),
    icon: ClockIcon,
    checked: filter.unansweredFirst,
    run: () => onFilter({ unansweredFirst: !filter.unansweredFirst, dueFirst: false }),
  },
  {
    id: 'due-first',
    label: t('Ordenar por prazo'),
    icon: SlaIcon,
    checked: filter.dueFirst,
    run: () => onFilter({ dueFirst: !filter.dueFirst, unansweredFirst: false }),
  },
  {
    id: 'read-all',
    label: t('Marcar tudo como lido'),
    icon: ShowIcon,
    run: () => void readAll(filter),
  },
  {
    id: 'save-view',
    label: t('Salvar como visão'),
    icon: SaveViewIcon,
    run: () => askedView.set({ what: 'save', view: null }),
  },
  {
    id: 'arrange-views',
    label: t('Organizar visões'),
    icon: ViewsIcon,
    run: () => askedView.set({ what: 'arrange' }),
  },
  {
    id: 'contacts',
    label: t('Contatos'),
    icon: ContactsIcon,
    when: () => may('contacts:read'),
    run: () => openPath('/atendimento/contatos'),
  },
]
