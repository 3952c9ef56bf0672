import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { secretsFrom } from '#server/secrets.ts'

const secrets = secretsFrom(Buffer.alloc(32, 7))
const url = process.env['DATABASE_URL']!
console.log('ready')
await migrate(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, secrets), { secrets, rolePrefix: 'guiche' })
console.log('done')
