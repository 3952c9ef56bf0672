import pg from 'pg'

/** Faults of a test's own database, to be switched on and off while the product runs. */
export type Faults = {
  /** From now on, writes of a table (of both that are the journal) fail with this SQLSTATE; with `only`, those of messages with that text, of that step, or of `company <id>`. */
  raise(table: (typeof TABLES)[number], code: string, only?: string): Promise<void>
  /** Removes all faults. */
  heal(): Promise<void>
  /** Connects to the restarted database. */
  reconnect(url: string): Promise<void>
  close(): Promise<void>
}

const TABLES = ['journal', 'messages', 'message_trail', 'changes'] as const

/** SQLSTATE of a full disk. */
export const DISK_FULL = '53100'

/**
 * Installs triggers that fail as a full disk (or another fault) does, where no disk may be filled: they raise the real error
 * at the real place of the database.
 */
export async function installFaults(ownerUrl: string): Promise<Faults> {
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  let owner = await connect(ownerUrl)
  await owner.query(`
    create table if not exists test_faults (on_table text, code text, only_row text);
    create or replace function test_fault() returns trigger language plpgsql security definer as $$
    declare fault test_faults;
    begin
      for fault in select * from test_faults where on_table = replace(tg_table_name, 'journal_processed', 'journal') loop
        if fault.only_row is null or fault.only_row in (to_jsonb(new) ->> 'body', to_jsonb(new) ->> 'step', 'company ' || new.tenant_id) then
          raise exception 'a fault of the test' using errcode = fault.code;
        end if;
      end loop;
      return new;
    end $$;`)
  for (const table of [...TABLES, 'journal_processed'])
    await owner.query(`create or replace trigger test_fault before insert or update on ${table}
      for each row execute function test_fault()`)
  return {
    raise: async (table, code, only) => {
      await owner.query('insert into test_faults values ($1, $2, $3)', [table, code, only ?? null])
    },
    heal: async () => {
      await owner.query('delete from test_faults')
    },
    reconnect: async (url) => {
      await owner.end().catch(() => {})
      owner = await connect(url)
    },
    close: () => owner.end(),
  }
}
