import { addBulkTexts } from '#features/bulk/web/index.ts'
import type { ContactScreens } from '#features/messages/web/registries/contact-screens.ts'
import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { contactFields } from '../field-addresses.ts'

type OwnField = Answer<typeof contactFields.list>['items'][number]

declare module '#web/choices.ts' {
  interface Choices {
    contactFields: Omit<OwnField, 'type'> & { type: 'text' | 'number' | 'date' | 'choice' | 'boolean' }
  }
}

export { type ContactTab, registerContactTabs } from './contact-tabs.ts'

/** Contact screens for conversations. */
export const contactScreens: Omit<ContactScreens, 'loadOpportunities'> = {
  loadDrawer: async () => (await import('./ContactDrawer.tsx')).ContactDrawer,
  loadSections: async () => (await import('./PanelSections.tsx')).PanelSections,
  loadSave: async () => (await import('./save-card.ts')).saveCard,
  loadAudience: async () => (await import('./ContactAudience.tsx')).ContactAudience,
  loadChoice: async () => (await import('./ContactChoice.tsx')).ContactChoice,
}

/** Loads the “Iniciar conversa” dialog, for other screens that show contacts. */
export const loadStartConversation = async () => (await import('./StartConversation.tsx')).StartConversation

addBulkTexts('contacts', async () => (await import('./bulk-texts.ts')).textsOf)

/** Web feature of contacts. */
export const contactsWeb: WebFeature = {
  choices: { contactFields: choiceList(contactFields.list, (page) => page.items) },
  screens: [
    {
      path: '/contatos',
      title: t('Contatos'),
      icon: 'ContactsIcon',
      can: 'contacts:read',
      menu: { place: 'contacts' },
      children: ['$contactId'],
      shortcut: 'g c',
      load: async () => (await import('./Contacts.tsx')).Contacts,
    },
    {
      path: '/contatos/importar',
      title: t('Importar contatos'),
      icon: 'ContactsIcon',
      can: 'contacts:import',
      load: async () => (await import('./imports/ImportContacts.tsx')).ImportContacts,
    },
    {
      path: '/atendimento/contatos',
      title: t('Contatos'),
      icon: 'ContactsIcon',
      can: 'contacts:read',
      fill: true,
      load: async () => (await import('./ChatContacts.tsx')).ChatContacts,
    },
    screenOf(async () => (await import('../contact-fields.ts')).contactFields, {
      path: '/campos-de-contatos',
      title: t('Campos de contatos'),
      icon: 'OwnFieldIcon',
      can: 'contactFields:write',
      menu: { place: 'settings', group: 'CRM' },
    }),
  ],
}
