import { Button, Checkbox, PasswordInput, SegmentedControl, Select, Switch, Tabs, TextInput } from '@mantine/core'
import { useState } from 'react'
import { channelOfField } from '#providers/channels/configs.ts'
import { confirm } from './feedback/confirm.tsx'
import { notify } from './feedback/notify.tsx'
import { SkeletonRows } from './feedback/skeleton.tsx'
import { EmptyState } from './feedback/states.tsx'
import { GalleryChoices } from './GalleryChoices.tsx'
import { GalleryFields } from './GalleryFields.tsx'
import { GalleryInputs } from './GalleryInputs.tsx'
import css from './gallery.module.css'
import { AddIcon, DeleteIcon, EditIcon, ExportIcon, StartConversationIcon } from './icons.ts'
import { Avatar } from './identity/Avatar.tsx'
import { Counter, Keys, Pill, Stage, Tag, TagDots } from './identity/badges.tsx'
import { Mark, Wordmark } from './identity/mark.tsx'
import { Ticks } from './identity/Ticks.tsx'
import { Usage } from './identity/Usage.tsx'
import { WindowRing } from './identity/window-ring.tsx'
import { MaskedInput, Notice, Pair, SwitchGroup, SwitchRow } from './inputs/fields.tsx'
import { CommandMenu } from './layout/CommandMenu.tsx'
import { FilterRow } from './layout/FilterRow.tsx'
import { FormDrawer } from './layout/FormDrawer.tsx'
import { Card, FilterChip, Page, PageHeader, SearchField } from './layout/page.tsx'
import { BulkBar } from './table/BulkBar.tsx'
import { type Column, DataTable } from './table/DataTable.tsx'

const hour = 3_600_000
const people = [
  {
    id: 1,
    name: 'Condomínio Vila Verde',
    channel: 'email',
    phone: '+55 (19) 3251-8870',
    tag: 'Corporativo',
    color: '#2BA3C0',
  },
  {
    id: 2,
    name: 'Dra. Priscila Nunes',
    channel: 'whatsapp',
    phone: '+55 (19) 99608-7741',
    tag: 'Cliente ouro',
    color: '#B4468F',
  },
  { id: 3, name: 'Tainá Guimarães', channel: 'instagram', phone: '@taina.casa', tag: 'Troca', color: '#C17513' },
  {
    id: 4,
    name: 'Sônia Takahashi',
    channel: channelOfField('telegramId'),
    phone: '+55 (11) 97442-0916',
    tag: 'Entrega',
    color: '#3874B6',
  },
]
const roles =
  'canvas surface sunken line line-2 control hover ink ink-2 ink-3 brand brand-hover brand-soft brand-soft-2 brand-line out rail rail-2 accent note pos pos-soft warn warn-soft warn-fill neg neg-soft info info-soft'.split(
    ' ',
  )

/** Every part of the design system on one page; development only, at `/ui`. */
export function Gallery() {
  const [on, setOn] = useState(true)
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState(new Set<string | number>([2]))
  const [drawer, setDrawer] = useState(false)
  return (
    <Page>
      <Header onAdd={() => setDrawer(true)} />
      <FilterRow right={<SegmentedControl data={['Conversas', 'Grupos']} />}>
        <SearchField value={search} onChange={setSearch} placeholder="Nome, número, e-mail ou CPF" />
        <FilterChip label="Canal: 4 selecionados" active={on} onClick={() => setOn(!on)} onClear={() => setOn(false)} />
        <FilterChip label="Kanban" active={false} onClick={() => setOn(true)} />
      </FilterRow>
      <Contacts selected={selected} onSelect={setSelected} onOpen={() => setDrawer(true)} />
      <div className={css.grid}>
        <Marks />
        <Badges />
        <Buttons />
        <Inputs on={on} setOn={setOn} />
        <GalleryInputs />
        <GalleryChoices />
        <Card flush>
          <EmptyState
            title="Nenhum atendimento pendente"
            text="Quando um cliente escrever, ele aparece aqui com um aviso sonoro."
            step={{ label: 'Escrever a alguém', run: () => {}, icon: <StartConversationIcon size={17} /> }}
            other={{ label: 'Ver resolvidos', run: () => {} }}
          />
        </Card>
        <Card flush>
          <SkeletonRows kind="ticket" rows={4} />
        </Card>
        <Roles />
        <GalleryFields />
      </div>
      <BulkBar
        count={selected.size}
        onClear={() => setSelected(new Set())}
        commands={[{ id: 'export', label: 'Exportar', icon: ExportIcon, run: () => {} }]}
      />
      <ContactDrawer opened={drawer} onClose={() => setDrawer(false)} />
    </Page>
  )
}

function Header({ onAdd }: { onAdd: () => void }) {
  return (
    <PageHeader
      title="Linguagem visual"
      facts="Todas as peças, nos dois modos"
      actions={
        <>
          <Button variant="default" leftSection={<ExportIcon size={17} />}>
            Exportar
          </Button>
          <Button leftSection={<AddIcon size={17} />} onClick={onAdd}>
            Novo contato
          </Button>
        </>
      }
    />
  )
}

const columns: readonly Column<(typeof people)[number]>[] = [
  {
    key: 'name',
    title: 'Nome',
    sortable: true,
    cell: (row) => (
      <>
        <Avatar id={row.id} name={row.name} channel={row.channel} size={34} />
        {row.name}
      </>
    ),
  },
  { key: 'phone', title: 'WhatsApp', cell: (row) => row.phone },
  { key: 'tag', title: 'Etiquetas', cell: (row) => <Tag name={row.tag} color={row.color} /> },
  { key: 'stage', title: 'Kanban', cell: (row) => <Stage name="Pós-venda" color={row.color} /> },
  { key: 'use', title: 'Usuários', cell: (row) => <Usage used={row.id * 6} limit={24} /> },
]

function Contacts(props: {
  selected: ReadonlySet<string | number>
  onSelect: (keys: Set<string | number>) => void
  onOpen: () => void
}) {
  const { selected, onSelect, onOpen } = props
  return (
    <DataTable
      label="Contatos"
      rows={people}
      rowKey={(row) => row.id}
      onOpen={onOpen}
      selected={selected}
      onSelect={onSelect}
      sort={{ key: 'name', down: false }}
      onSort={() => {}}
      commands={(row) => [
        { id: 'talk', label: 'Iniciar conversa', icon: StartConversationIcon, run: () => {} },
        { id: 'edit', label: 'Editar', icon: EditIcon, shortcut: 'e', run: () => {} },
        {
          id: 'drop',
          label: 'Excluir…',
          icon: DeleteIcon,
          tone: 'neg',
          run: () => notify({ tone: 'info', title: row.name }),
        },
      ]}
      columns={columns}
    />
  )
}

function Marks() {
  return (
    <Card title="Marca">
      <div className={css.row}>
        <Wordmark size={32} />
        <Mark size={34} tone="rail" />
        <Mark size={16} />
      </div>
      <div className={css.rail}>
        <Wordmark size={32} tone="rail" />
        <Counter value={12} tone="accent" small />
        <Avatar id={9} name="Camila Duarte" size={36} status="online" />
      </div>
    </Card>
  )
}

function Badges() {
  return (
    <Card title="Contadores, estados, etiquetas">
      <div className={css.row}>
        <Counter value={3} /> <Counter value={9} tone="accent" /> <Counter value={14} tone="plain" />
        <Counter value={120} />
        <Pill tone="pos">Conectado</Pill> <Pill tone="warn">Esperando</Pill> <Pill tone="neg">Falha</Pill>
        <Pill tone="info">Teste</Pill> <Pill>Inativo</Pill>
      </div>
      <div className={css.row}>
        <Tag name="Cliente ouro" color="#B4468F" onRemove={() => {}} /> <Tag name="Corporativo" color="#2BA3C0" />
        <TagDots tags={people.map(({ tag, color }) => ({ name: tag, color }))} />
        <Switch defaultChecked aria-label="ligado" /> <Switch aria-label="desligado" />
        <Checkbox defaultChecked aria-label="marcado" /> <Checkbox indeterminate aria-label="parte" />
        <Checkbox aria-label="vazio" />
      </div>
      <div className={css.row}>
        {[23.33, 13.97, 5.07, 1.78, -1].map((left) => (
          <WindowRing key={left} until={Date.now() + left * hour} />
        ))}
        <WindowRing until={Date.now() + 5.07 * hour} pill />
      </div>
      <div className={css.row}>
        {(['pending', 'sent', 'delivered', 'read', 'failed', 'uncertain'] as const).map((status) => (
          <Ticks key={status} status={status} />
        ))}
        <Keys of="mod+k" /> <Keys of="g a" />
      </div>
    </Card>
  )
}

function Buttons() {
  return (
    <Card title="Botões">
      <div className={css.row}>
        <Button>Salvar</Button> <Button loading>Salvar</Button> <Button disabled>Salvar</Button>
      </div>
      <div className={css.row}>
        <Button variant="default">Exportar</Button> <Button variant="light">Testar</Button>
        <Button variant="subtle">Cancelar</Button>
        <Button color="neg">Excluir</Button> <Button size="sm">Pequeno</Button>
        <CommandMenu commands={[{ id: 'x', label: 'Editar', icon: EditIcon, run: () => {} }]} />
      </div>
      <Notices />
    </Card>
  )
}

function Notices() {
  return (
    <div className={css.row}>
      {(['pos', 'warn', 'neg', 'info'] as const).map((tone) => (
        <Button
          key={tone}
          variant="default"
          size="sm"
          onClick={() =>
            notify({
              tone,
              title: 'Atendimento de Wesley resolvido',
              text: 'Condomínio Vila Verde · agora',
              action: { label: 'Desfazer', run: () => {} },
            })
          }
        >
          Aviso {tone}
        </Button>
      ))}
      <Button
        variant="default"
        size="sm"
        onClick={() =>
          confirm({
            title: 'Excluir 2 dos 3 contatos?',
            text: 'Marlene Figueiredo tem 4 atendimentos e não será excluída. Os outros saem agora e não voltam.',
            action: 'Excluir 2 contatos',
          })
        }
      >
        Confirmar
      </Button>
    </div>
  )
}

function Inputs({ on, setOn }: { on: boolean; setOn: (on: boolean) => void }) {
  const [cpf, setCpf] = useState('31860492707')
  return (
    <Card title="Campos">
      <Pair>
        <TextInput label="Número" required defaultValue="+55 (19) 99812-4407" description="Nono dígito conferido" />
        <MaskedInput mask="cpf" label="CPF" value={cpf} onChange={setCpf} error="O dígito do CPF não confere" />
        <Select label="Kanban" data={['Pós-venda', 'Proposta']} defaultValue="Proposta" />
        <PasswordInput label="Senha" defaultValue="segredo" />
        <TextInput label="Empresa" disabled defaultValue="Aroeira Móveis" />
      </Pair>
      <SwitchGroup>
        <SwitchRow
          name="Bloquear chatbot"
          effect="O robô não responde; a equipe continua."
          checked={on}
          onChange={setOn}
        />
        <SwitchRow
          name="Bloquear contato"
          effect="As mensagens dele deixam de chegar."
          checked={!on}
          onChange={() => {}}
        />
      </SwitchGroup>
      <Notice tone="warn">Há outro contato sem o nono dígito.</Notice>
    </Card>
  )
}

function Roles() {
  return (
    <Card title="Papéis de cor">
      <div className={css.roles}>
        {roles.map((role) => (
          <span key={role}>
            <i style={{ background: `var(--g-${role})` }} />
            {role}
          </span>
        ))}
      </div>
    </Card>
  )
}

function ContactDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [changed, setChanged] = useState(0)
  return (
    <FormDrawer
      opened={opened}
      onClose={() => {
        onClose()
        setChanged(0)
      }}
      onSave={onClose}
      title="Marlene Figueiredo"
      sub="+55 (19) 99812-4407 · cliente desde 12/03/2024"
      avatar={<Avatar id={7} name="Marlene Figueiredo" channel="whatsapp" size={44} />}
      changed={changed}
      busy={false}
      tabs={
        <Tabs defaultValue="a">
          <Tabs.List>
            <Tabs.Tab value="a">Dados</Tabs.Tab>
            <Tabs.Tab value="b">Campos extras</Tabs.Tab>
          </Tabs.List>
        </Tabs>
      }
    >
      <Pair>
        <TextInput label="Nome" required defaultValue="Marlene Figueiredo" onChange={() => setChanged(1)} />
        <TextInput label="E-mail" defaultValue="marlene.fig@terra" error="Falta o final do e-mail, como .com.br" />
      </Pair>
    </FormDrawer>
  )
}
