import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { TEMPLATES, type Template } from '#domain/funnel/templates.ts'
import { isApiError, notifyError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { MoveDialog } from '#web/ui/feedback/MoveDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Stage } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { pipelines } from '../addresses.ts'
import type { Pipeline } from '../pipelines-contract.ts'
import css from './funnel.module.css'

const PipelineForm = lazyPart(async () => (await import('./PipelineForm.tsx')).PipelineForm)

type Opened = { readonly pipeline: Pipeline | null; readonly template?: Template }

/** Screen of pipelines with their stages, and templates for new ones. */
export function Pipelines() {
  const { data, error, refetch } = useQuery(query(pipelines.list))
  const [opened, setOpened] = useState<Opened | null>(null)
  const [leaving, setLeaving] = useState<Pipeline | null>(null)
  const rows = data?.data ?? []
  const remove = async (pipeline: Pipeline) => {
    const { id, name } = pipeline
    const sure = await confirm({
      title: t('Excluir o funil {name}?', { name }),
      text: t('As etapas vão junto.'),
      action: t('Excluir'),
    })
    if (!sure) return
    try {
      await call(pipelines.remove, { params: { id } }, { quiet: true })
      notify({ tone: 'pos', title: t('Funil excluído') })
    } catch (refused) {
      const hasOthers = rows.length > 1
      if (isApiError(refused) && refused.code === 'ERR_PIPELINE_IN_USE' && hasOthers) setLeaving(pipeline)
      else notifyError(refused)
    }
  }
  const templates = () =>
    TEMPLATES.map((template) => ({
      id: template.trade,
      label: template.trade,
      run: () => setOpened({ pipeline: null, template }),
    }))
  return (
    <Page>
      <PageHeader
        title={t('Funis e etapas')}
        facts={t('Por onde passam as suas vendas, com a chance e o ritmo de cada etapa.')}
        actions={
          <>
            <CommandMenu
              label={t('Modelos de funil')}
              commands={templates}
              target={<Button variant="default">{t('Usar um modelo')}</Button>}
            />
            <Button leftSection={<AddIcon size={17} />} onClick={() => setOpened({ pipeline: null })}>
              {t('Novo funil')}
            </Button>
          </>
        }
      />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" rows={4} />}
      {data && rows.length === 0 && (
        <>
          <EmptyState
            title={t('Comece por um modelo')}
            text={t('Escolha o que mais se parece com o seu negócio; nomes, cores e chances você ajusta depois.')}
          />
          <div className={css.templates}>
            {TEMPLATES.map((template) => (
              <Card key={template.trade} title={template.trade}>
                <ul className={css.stages}>
                  {template.stages.map(({ name, color }) => (
                    <li key={name}>
                      <Stage name={name} color={color} />
                    </li>
                  ))}
                </ul>
                <Button mt="sm" variant="default" onClick={() => setOpened({ pipeline: null, template })}>
                  {t('Usar este modelo')}
                </Button>
              </Card>
            ))}
          </div>
        </>
      )}
      {rows.length > 0 && (
        <DataTable
          label={t('Funis')}
          rows={rows}
          rowKey={({ id }) => id}
          onOpen={(pipeline) => setOpened({ pipeline })}
          columns={[
            { key: 'name', title: t('Nome'), cell: ({ name }) => name },
            { key: 'id', title: t('ID'), numeric: true, width: 64, cell: ({ id }) => id },
            {
              key: 'stages',
              title: t('Etapas'),
              cell: ({ stages }) => (
                <span className={css.templates}>
                  {stages.map(({ id, name, color }) => (
                    <Stage key={id} name={name} color={color} />
                  ))}
                </span>
              ),
            },
            {
              key: 'board',
              title: t('Painel'),
              cell: ({ id }) => (
                <Link to="/funil/kanban" search={{ funil: id }}>
                  {t('Ver o kanban')}
                </Link>
              ),
            },
          ]}
          commands={(pipeline) => [
            { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setOpened({ pipeline }) },
            { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(pipeline) },
          ]}
        />
      )}
      <Suspense>
        {opened && <PipelineForm {...opened} onClose={() => setOpened(null)} />}
        {leaving && (
          <MoveDialog
            title={t('Para onde vão as oportunidades de {name}?', { name: leaving.name })}
            hint={t('Elas vão para o fim da etapa escolhida, e o funil é excluído.')}
            placeholder={t('Escolha uma etapa')}
            nothingFound={t('Nenhuma etapa com esse nome')}
            missing={t('Escolha a etapa.')}
            action={t('Mover e excluir')}
            isFinal
            options={rows
              .filter(({ id }) => id !== leaving.id)
              .flatMap(({ name, stages }) =>
                stages.map((one) => ({ value: String(one.id), label: `${name} · ${one.name}` })),
              )}
            onPick={async (to) => {
              await call(
                pipelines.replace,
                { params: { id: leaving.id }, body: { stageId: Number(to) } },
                { quiet: true, long: true },
              )
              notify({ tone: 'pos', title: t('Funil excluído') })
            }}
            onClose={() => setLeaving(null)}
          />
        )}
      </Suspense>
    </Page>
  )
}
