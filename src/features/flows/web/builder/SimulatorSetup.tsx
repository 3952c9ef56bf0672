import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/addresses.ts'
import { momentOf, wallClock } from '#kit/fields/datetime.ts'
import { channelLooks } from '#providers/channels/looks.ts'
import { query } from '#web/client.ts'
import { timeZone } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { useNames } from './names.ts'
import css from './simulator.module.css'
import type { Simulator } from './use-simulator.ts'

const channels = channelLooks.flatMap(({ types }) => types.map(({ type, name }) => ({ value: type, label: name })))

/** Form of a simulation's start: contact, channel type, time, and known facts. */
export function SimulatorSetup({ simulator: { beginning, begin } }: { simulator: Simulator }) {
  const [search, setSearch] = useState('')
  const { data } = useQuery({
    ...query(contacts.list, { query: search.trim() ? { searchParam: search.trim() } : {} }),
    placeholderData: (before) => before,
  })
  const people = (data?.contacts ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const { contactId, channel, at, known } = beginning
  const { tags } = useNames()
  const know = (change: Partial<NonNullable<typeof known>>) =>
    begin({ known: { tagIds: [], isFirstTicket: false, values: {}, ...known, ...change } })
  return (
    <div className={css.setup}>
      <Select
        label={t('Contato')}
        placeholder={t('Maria Souza, inventada')}
        searchable
        clearable
        nothingFoundMessage={t('Nenhum contato encontrado.')}
        data={people}
        // The server has already filtered, by number and e-mail too.
        filter={({ options }) => options}
        value={contactId === null ? null : String(contactId)}
        onSearchChange={setSearch}
        onChange={(id) => begin({ contactId: id === null ? null : Number(id) })}
      />
      <Select
        label={t('Canal')}
        placeholder={t('Qualquer um')}
        clearable
        data={channels}
        value={channel}
        onChange={(type) => begin({ channel: type })}
      />
      <TextInput
        type="datetime-local"
        label={t('Começa em')}
        value={wallClock(new Date(at).toISOString(), timeZone())}
        onChange={(event) => {
          const moment = momentOf(event.currentTarget.value, timeZone())
          if (moment !== null) begin({ at: Date.parse(moment) })
        }}
      />
      <ManyChoice
        label={t('Etiquetas da conversa')}
        none={t('Nenhuma com esse nome')}
        options={tags}
        chosen={known?.tagIds ?? []}
        onChange={(tagIds) => know({ tagIds })}
      />
      <SwitchRow
        name={t('É o primeiro atendimento do contato')}
        checked={known?.isFirstTicket ?? false}
        onChange={(isFirstTicket) => know({ isFirstTicket })}
      />
    </div>
  )
}
