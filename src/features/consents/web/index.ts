import type { ContactTab } from '#features/contacts/web/index.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { consents } from '../addresses.ts'

/** Tab of a contact's consents. */
export const consentsTab: ContactTab = {
  key: 'consents',
  name: t('Consentimentos'),
  can: consents.list.can,
  Part: lazyPart(async () => (await import('./Consents.tsx')).Consents),
}
