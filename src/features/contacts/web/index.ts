import type { ContactScreens } from '#features/conversations/web/index.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { ContactsIcon } from '#web/ui/icons.ts'

/** What contacts show within conversations. */
export const contactScreens: ContactScreens = {
  loadDrawer: async () => (await import('./ContactDrawer.tsx')).ContactDrawer,
  loadSave: async () => (await import('./save-card.ts')).saveCard,
  loadChoice: async () => (await import('./ContactChoice.tsx')).ContactChoice,
}

/** “Iniciar conversa” with a contact, for screens that tell of contacts. */
export const loadStartConversation = async () => (await import('./StartConversation.tsx')).StartConversation

/** The company's contacts. */
export const contactsWeb: WebFeature = {
  screens: [
    {
      path: '/contatos',
      title: t('Contatos'),
      icon: ContactsIcon,
      can: 'contacts:read',
      menu: { group: 'Atendimento', order: 2, phone: 2 },
      shortcut: 'g c',
      load: async () => (await import('./Contacts.tsx')).Contacts,
    },
    {
      path: '/contatos/importar',
      title: t('Importar contatos'),
      icon: ContactsIcon,
      can: 'contacts:import',
      load: async () => (await import('./imports/ImportContacts.tsx')).ImportContacts,
    },
    {
      path: '/atendimento/contatos',
      title: t('Contatos'),
      icon: ContactsIcon,
      can: 'contacts:read',
      fill: true,
      load: async () => (await import('./ChatContacts.tsx')).ChatContacts,
    },
  ],
}
