import { ContactsReport } from './ContactsReport.tsx'

/** The contacts that were made in a period. */
export const AllContacts = () => <ContactsReport by="period" />
/** The contacts that have tags. */
export const ContactsByTag = () => <ContactsReport by="tags" />
/** The contacts of area codes. */
export const ContactsByState = () => <ContactsReport by="state" />
/** The contacts in stages of the kanban. */
export const ContactsByKanban = () => <ContactsReport by="kanban" />
/** The contacts in wallets. */
export const ContactsByWallet = () => <ContactsReport by="wallets" />
