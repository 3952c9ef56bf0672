import { useQuery } from '@tanstack/react-query'
import { everywhereKey } from '#domain/tickets/assistants.ts'
import { settings } from '#features/settings/addresses.ts'
import type { AssistantConfig } from '#providers/assistants/configs.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'

/** Whether a provider's accounts may answer, and whether they do on every connection. */
export function Switches({ config: { name, ticketSwitch } }: { config: AssistantConfig }) {
  const { data, refetch } = useQuery(query(settings.list))
  if (!data || !ticketSwitch) return null
  const everywhere = everywhereKey(ticketSwitch)
  const isOn = (key: string) => data.find((one) => one.key === key)?.value === 'enabled'
  const save = (key: string, label: string) => (next: boolean) =>
    void saveChoice({
      ...{ label, before: isOn(key), next, labelOf: onOff },
      save: async (value: boolean) => {
        await call(
          settings.set,
          { params: { key }, body: { key, value: value ? 'enabled' : 'disabled' } },
          { quiet: true },
        )
        await refetch()
      },
    })
  return (
    <SwitchGroup>
      <SwitchRow
        name={t('{name} pode responder', { name })}
        effect={t('Desligado, nenhuma conta de {name} responde, onde quer que esteja escolhida.', { name })}
        checked={isOn(ticketSwitch)}
        onChange={save(ticketSwitch, t('{name} pode responder', { name }))}
      />
      <SwitchRow
        name={t('Em todos os atendimentos novos')}
        effect={t('A conta padrão responde em todos os canais que não têm outro assistente.')}
        checked={isOn(everywhere)}
        onChange={save(everywhere, t('Em todos os atendimentos novos'))}
      />
    </SwitchGroup>
  )
}
