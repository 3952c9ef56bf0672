import { may } from '#web/session/permissions.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import { ContactsIcon, SaveViewIcon, ViewsIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { askedView } from './views.ts'

/** What the list's menu offers. */
export const listCommands = (): readonly Command[] => [
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
