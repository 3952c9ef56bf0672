import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'

/** Select of the bot that starts new conversations of a channel. */
export function BotChoice(props: {
  value: number | null
  error: string | undefined
  onChange: (id: number | null) => void
}) {
  const { value, error, onChange } = props
  const { data } = useQuery(query(ticketCommands.chatFlows))
  return (
    <Select
      label={t('Chatbot')}
      description={t('Recebe as conversas novas deste canal. Em branco, vale o padrão da empresa.')}
      placeholder={t('Padrão da empresa')}
      searchable
      clearable
      nothingFoundMessage={t('Nenhum chatbot com esse nome')}
      data={(data?.chatFlow ?? []).map(({ id, name, version }) => ({
        value: String(id),
        label: version === null ? t('{name} (não publicado)', { name }) : name,
      }))}
      value={value === null ? null : String(value)}
      error={error}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
