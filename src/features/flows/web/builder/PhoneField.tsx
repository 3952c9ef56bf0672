import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { phoneAssistants } from '#features/assistants/addresses.ts'
import { query } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'

/** Choice of a voice assistant or phone number of an account; keeps the current value if the account cannot be queried. */
export function PhoneField(props: {
  label: string
  what: 'assistants' | 'numbers'
  value: string
  onChange: (id: string) => void
}) {
  const { label, what, value, onChange } = props
  const { data, isPending } = useQuery(query(phoneAssistants[what], { params: { id: viewer().tenantId } }))
  const rows = data ?? []
  const known = rows.some(({ id }) => id === value) || value === '' ? rows : [...rows, { id: value, name: value }]
  return (
    <Select
      label={label}
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      placeholder={isPending ? t('Carregando…') : t('Escolha')}
      description={data?.length === 0 ? t('Nenhum: conecte uma conta em Configurações › Bots e IA › Vapi.') : undefined}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
