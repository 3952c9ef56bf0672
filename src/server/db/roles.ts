import type { Secrets } from '../secrets.ts'

/** Connection addresses of the three roles that log in (decision B14). */
export type DatabaseUrls = { owner: string; app: string; platform: string; worker: string }

/** Returns the roles' connection addresses: given ones, or the owner's with derived passwords. */
export function databaseUrls(
  ownerUrl: string,
  env: {
    APP_DATABASE_URL?: string | undefined
    PLATFORM_DATABASE_URL?: string | undefined
    WORKER_DATABASE_URL?: string | undefined
    DB_ROLE_PREFIX: string
  },
  secrets: Secrets,
): DatabaseUrls {
  const as = (role: string): string => {
    const url = new URL(ownerUrl)
    url.username = `${env.DB_ROLE_PREFIX}_${role}`
    url.password = rolePassword(secrets, role)
    return url.href
  }
  return {
    owner: ownerUrl,
    app: env.APP_DATABASE_URL ?? as('app'),
    platform: env.PLATFORM_DATABASE_URL ?? as('platform'),
    worker: env.WORKER_DATABASE_URL ?? as('worker'),
  }
}

/** Returns the password of a role that the product created: the same on every process with this master key. */
export const rolePassword = (secrets: Secrets, role: string): string =>
  secrets.derive(`database ${role}`).toString('base64url')
