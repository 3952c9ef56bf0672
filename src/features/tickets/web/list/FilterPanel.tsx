import { Button, Drawer, Group, MultiSelect, Select, TextInput } from '@mantine/core'
import { t } from '#web/t.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useColleagues, useConnections, useQueues, useStages, useTags } from '../choices/choices.ts'
import css from '../lists/list.module.css'
import { countChoices, type ListFilter, plainFilter } from '../lists/list-filter.ts'
import { mayShowAll } from '../lists/lists.ts'

const waits = [
  [15, t('15 minutos ou mais')],
  [30, t('30 minutos ou mais')],
  [60, t('1 hora ou mais')],
  [240, t('4 horas ou mais')],
  [1440, t('1 dia ou mais')],
] as const

const lateness = [
  ['warned', t('Em risco')],
  ['missed', t('Estourado')],
] as const

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

/** Filter panel of the list; choices apply at once, are in the URL, and persist for the next visit. */
export function FilterPanel({ filter, onFilter, onClose }: Part & { onClose: () => void }) {
  const { showAll } = filter
  return (
    <Drawer opened onClose={onClose} position="left" size={360} padding={20} title={t('Filtrar atendimentos')}>
      <div className={css.panel}>
        <SwitchGroup>
          {mayShowAll() && (
            <SwitchRow
              name={t('Ver todos os atendimentos')}
              effect={t('De todas as filas e pessoas; os outros filtros não valem.')}
              checked={showAll}
              onChange={(next) => onFilter({ showAll: next })}
            />
          )}
          <SwitchRow
            name={t('Só com mensagens não lidas')}
            checked={filter.withUnreadMessages}
            disabled={showAll}
            onChange={(withUnreadMessages) => onFilter({ withUnreadMessages })}
          />
        </SwitchGroup>
        <OfficeFilters filter={filter} onFilter={onFilter} />
        <TimeFilters filter={filter} onFilter={onFilter} />
        <PanelFooter filter={filter} onFilter={onFilter} onClose={onClose} />
      </div>
    </Drawer>
  )
}

function PanelFooter({ filter, onFilter, onClose }: Part & { onClose: () => void }) {
  return (
    <div className={css.panelFooter}>
      <Button
        variant="subtle"
        color="ink"
        disabled={countChoices(filter) === 0}
        onClick={() => {
          const { tab, isGroup, search, scope } = filter
          onFilter({ ...plainFilter, tab, isGroup, search, scope })
        }}
      >
        {t('Limpar filtros')}
      </Button>
      <Button onClick={onClose}>{t('Ver atendimentos')}</Button>
    </div>
  )
}

function TimeFilters({ filter, onFilter }: Part) {
  return (
    <>
      <Select
        label={t('Esperando por nós há')}
        placeholder={t('Qualquer tempo')}
        clearable
        data={waits.map(([minutes, label]) => ({ value: String(minutes), label }))}
        value={filter.waitingMinutes === null ? null : String(filter.waitingMinutes)}
        onChange={(minutes) => onFilter({ waitingMinutes: minutes === null ? null : Number(minutes) })}
      />
      <Select
        label={t('Prazo (SLA)')}
        placeholder={t('Qualquer prazo')}
        clearable
        data={lateness.map(([value, label]) => ({ value, label }))}
        value={filter.sla}
        onChange={(sla) => onFilter({ sla })}
      />
      <Group grow gap={12}>
        <TextInput
          type="date"
          label={t('Última mensagem desde')}
          value={filter.from ?? ''}
          max={filter.to ?? undefined}
          onChange={(event) => onFilter({ from: event.currentTarget.value || null })}
        />
        <TextInput
          type="date"
          label={t('Até')}
          value={filter.to ?? ''}
          min={filter.from ?? undefined}
          onChange={(event) => onFilter({ to: event.currentTarget.value || null })}
        />
      </Group>
    </>
  )
}

/** The filters by what a company has set up: queues, channels, people, tags and stages. */
function OfficeFilters({ filter, onFilter }: Part) {
  const queues = useQueues() ?? []
  const tags = useTags() ?? []
  const stages = useStages() ?? []
  const connections = useConnections() ?? []
  const many = { searchable: true, clearable: true, disabled: filter.showAll, hidePickedOptions: true }
  return (
    <>
      <MultiSelect
        {...many}
        label={t('Filas')}
        placeholder={filter.queuesIds.length > 0 ? '' : t('Todas')}
        data={queues.map(({ id, queue }) => ({ value: String(id), label: queue }))}
        value={filter.queuesIds.map(String)}
        onChange={(ids) => onFilter({ queuesIds: ids.map(Number) })}
      />
      <MultiSelect
        {...many}
        label={t('Canais')}
        placeholder={filter.whatsappIds.length > 0 ? '' : t('Todos')}
        data={connections.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={filter.whatsappIds.map(String)}
        onChange={(ids) => onFilter({ whatsappIds: ids.map(Number) })}
      />
      {mayShowAll() && <OwnerSelect filter={filter} onFilter={onFilter} />}
      <MultiSelect
        {...many}
        label={t('Etiquetas')}
        placeholder={filter.tags.length > 0 ? '' : t('Todas')}
        data={tags.map(({ id, tag }) => ({ value: String(id), label: tag }))}
        value={filter.tags.map(String)}
        onChange={(ids) => onFilter({ tags: ids.map(Number) })}
      />
      <MultiSelect
        {...many}
        label={t('Etapas do kanban')}
        placeholder={filter.kanban.length > 0 ? '' : t('Todas')}
        data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={filter.kanban.map(String)}
        onChange={(ids) => onFilter({ kanban: ids.map(Number) })}
      />
    </>
  )
}

function OwnerSelect({ filter, onFilter }: Part) {
  const colleagues = useColleagues() ?? []
  return (
    <Select
      label={t('Responsável')}
      placeholder={t('Qualquer pessoa')}
      searchable
      clearable
      disabled={filter.showAll}
      data={colleagues.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={filter.selectedUser === null ? null : String(filter.selectedUser)}
      onChange={(id) => onFilter({ selectedUser: id === null ? null : Number(id) })}
    />
  )
}
