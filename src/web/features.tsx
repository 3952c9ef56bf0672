import { accessWeb } from '#features/access/web/index.ts'
import { apiDocsWeb } from '#features/api-docs/web/index.ts'
import { auditWeb } from '#features/audit/web/index.ts'
import { authWeb } from '#features/auth/web/index.ts'
import { catalogWeb } from '#features/catalog/web/index.ts'
import { connectionsWeb } from '#features/connections/web/index.ts'
import { contactsWeb } from '#features/contacts/web/index.ts'
import { conversationsWeb } from '#features/conversations/web/index.ts'
import { dashboardWeb } from '#features/dashboard/web/index.ts'
import { devicesWeb } from '#features/devices/web/index.ts'
import { filesWeb } from '#features/files/web/index.ts'
import { hoursWeb } from '#features/hours/web/index.ts'
import { identityProviderWeb } from '#features/identity-provider/web/index.ts'
import { journalWeb } from '#features/journal/web/index.ts'
import { labWeb } from '#features/lab/web/index.ts'
import { mailWeb } from '#features/mail/web/index.ts'
import { queuesWeb } from '#features/queues/web/index.ts'
import { ratingsWeb } from '#features/ratings/web/index.ts'
import { secondFactorWeb } from '#features/second-factor/web/index.ts'
import { settingsWeb } from '#features/settings/web/index.ts'
import { signupWeb } from '#features/signup/web/index.ts'
import { teamsWeb } from '#features/teams/web/index.ts'
import { tenantsWeb } from '#features/tenants/web/index.ts'
import { usersWeb } from '#features/users/web/index.ts'
import { webchatWeb } from '#features/webchat/web/index.ts'
import { addErrors } from '#kit/errors.ts'
import { listScreens, type Screen, type WebFeature } from './shell/screens.ts'

/** Every feature that a browser knows of, one line each; the only place in `web` that names features. */
export const webFeatures: readonly WebFeature[] = [
  dashboardWeb,
  contactsWeb,
  usersWeb,
  teamsWeb,
  queuesWeb,
  catalogWeb,
  conversationsWeb,
  labWeb,
  webchatWeb,
  hoursWeb,
  ratingsWeb,
  settingsWeb,
  accessWeb,
  auditWeb,
  journalWeb,
  tenantsWeb,
  signupWeb,
  mailWeb,
  identityProviderWeb,
  authWeb,
  secondFactorWeb,
  devicesWeb,
  connectionsWeb,
  filesWeb,
  apiDocsWeb,
]

/** Every screen of the product. */
export const screens: readonly Screen[] = listScreens(webFeatures.flatMap((feature) => feature.screens ?? []))

for (const { errors } of webFeatures) addErrors(errors)

/** Fetches the panel that opens at the bell. */
export const loadBell = webFeatures.find(({ bell }) => bell)?.bell

/** What may stand above every screen. */
export const bars = webFeatures.flatMap((feature) => feature.bars ?? [])
