import { type RawBuilder, sql } from 'kysely'

/** Names of SQL rows: message, ticket (channel, is_group), and the row with the addresses. */
type Names = { readonly message: string; readonly ticket: string; readonly key: string; readonly alias: string }

/**
 * Whether a reference to a message by id comes from its own conversation; an id alone proves nothing. For a group: the
 * same group; else the same number, or two addresses of one person.
 */
export function isOfConversation(names: Names): RawBuilder<boolean> {
  const [m, t, key, alias] = [names.message, names.ticket, names.key, names.alias].map((name) => sql.raw(name))
  return sql<boolean>`(${key} = ${m}.conversation_key or not ${t}.is_group and (
    app.line_of(${m}.conversation_key) in (app.line_of(${key}), ${alias})
    or exists (select from contact_identities i
      join contacts theirs on theirs.tenant_id = i.tenant_id and theirs.id = i.contact_id
      join contacts its on its.tenant_id = i.tenant_id and its.id = ${m}.contact_id
      where i.tenant_id = app.tenant() and i.channel = ${t}.channel and i.identity in (${key}, ${alias})
        and coalesce(theirs.merged_into, theirs.id) = coalesce(its.merged_into, its.id))))`
}
