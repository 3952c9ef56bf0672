import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Queryable } from '#server/db/db.ts'
import { inDirectory } from '#server/db/directory.ts'
import { sha256 } from '#server/secrets.ts'
import { appOfPath } from './queries-apps.ts'
import { webhookOfPath } from './queries-provider-webhooks.ts'

/** Returns the owner of a webhook path, in one statement: a connection, an app, or the settings of a provider. */
export const findAddress = (db: Queryable, kind: string, path: string) =>
  db
    .selectNoFrom([
      jsonObjectFrom(
        inDirectory(db, kind, path).select(['directory.tenant_id', 'directory.subject_id', 'tenants.status']),
      ).as('known'),
      jsonObjectFrom(appOfPath(db, sha256(path))).as('app'),
      jsonObjectFrom(webhookOfPath(db, sha256(path))).as('webhook'),
    ])
    .executeTakeFirstOrThrow()
