import { Button } from '@mantine/core'
import type { Resource } from '#kit/resource.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { ResourceScreen } from '#web/resource/ResourceScreen.tsx'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon } from '#web/ui/icons.ts'
import { allFarewells } from '../farewells-addresses.ts'

async function removeAll(): Promise<void> {
  const sure = await confirm({
    title: t('Excluir todas as despedidas?'),
    text: t('Somem do diálogo de resolver agora, e isto não pode ser desfeito.'),
    action: t('Excluir todas'),
  })
  if (sure) await attempt(() => call(allFarewells.remove, {}, { quiet: true }), t('Despedidas excluídas'))
}

/** Creates the page of farewells from their resource, with “Deletar Todos”. */
export const farewellScreen = (resource: Resource) => () => (
  <ResourceScreen
    resource={resource}
    actions={
      <Button variant="default" leftSection={<DeleteIcon size={17} />} onClick={() => void removeAll()}>
        {t('Deletar Todos')}
      </Button>
    }
  />
)
