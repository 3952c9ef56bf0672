import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#web/resource/read-all.ts'
import { t } from '#web/t.ts'
import { proxies } from '../proxies-addresses.ts'

/** Choice of a channel's proxy; none: direct. An inactive proxy is only shown if already chosen. */
export function ProxyChoice(props: {
  value: number | null
  error: string | undefined
  onChange: (id: number | null) => void
}) {
  const { value, error, onChange } = props
  const { data = [] } = useQuery(choicesOf(proxies.list, (page) => page.items))
  return (
    <Select
      label={t('Proxy')}
      description={t('Por onde este canal sai à internet. Se ele cair, o canal espera: nada sai direto.')}
      placeholder={t('Sem proxy')}
      searchable
      clearable
      nothingFoundMessage={t('Nenhum proxy com esse nome')}
      data={data
        .filter(({ id, isActive }) => isActive || id === value)
        .map(({ id, name, isActive }) => ({
          value: String(id),
          label: isActive ? name : t('{name} (desativado)', { name }),
        }))}
      value={value === null ? null : String(value)}
      error={error}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
