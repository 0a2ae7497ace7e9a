import { parseSync } from 'libpg-query'
import type { Catalogue, Table } from './catalogue.ts'
import { below, isBranch, listOf, nameOf, numberOf, type Tree, textOf } from './tree.ts'

// How a statement narrows each tenant's table it touches. A table is narrowed by its workspace, by a key that a narrowed table
// of the same statement has (a join, an IN, a correlated EXISTS), or by a key that is given as a parameter; then somebody must
// have found that key within the workspace, which record.ts looks at.

export type Finding = {
  table: string
  /** none: whatever the workspace, its rows are touched. */
  by: 'workspace' | 'join' | 'key' | 'none'
  /** The columns it is narrowed by, and the numbers of the parameters they are compared with. */
  columns: string[]
  params: number[]
  /** Other keys it is narrowed by as well: one that was found is enough. */
  others?: Finding[]
  /** Rows come into being: their own keys are new. */
  made?: number[]
}

type Relation = {
  alias: string
  /** Nothing for what is derived: a subselect, a function, the rows of another part of the statement. */
  table?: Table
  name: string
  columns?: Set<string>
}
type Scope = { relations: Relation[]; outer?: Scope; narrowed: Map<string, Finding> }
type Condition = { tree: Tree; only?: Set<string> }
type Source = { params: number[]; relations: string[] }
type Ctes = Map<string, Set<string> | undefined>

/** What a statement does to tenants' tables. @throws where it is no SQL. */
export function examine(sql: string, catalogue: Catalogue): Finding[] {
  const found: Finding[] = []
  const { stmts = [] } = parseSync(sql)
  for (const { stmt } of stmts) statement(stmt as unknown as Tree, undefined, new Map())
  return found

  /** Looks through one statement or subselect; answers the names of its columns where they are known. */
  function statement(node: Tree, outer: Scope | undefined, ctes: Ctes): Set<string> | undefined {
    if (node['SelectStmt']) return select(node['SelectStmt'], outer, ctes)
    const change = node['UpdateStmt'] ?? node['DeleteStmt'] ?? node['MergeStmt']
    if (change) return changing(change, outer, ctes)
    if (node['InsertStmt']) return insert(node['InsertStmt'], outer, ctes)
    return undefined
  }

  function withCtes(node: Tree, outer: Scope | undefined, ctes: Ctes): Ctes {
    const all = new Map(ctes)
    for (const { CommonTableExpr: cte } of listOf(node['withClause']?.['ctes'])) {
      const name = textOf(cte?.['ctename'])
      // A recursive one sees itself.
      if (node['withClause']?.['recursive']) all.set(name, undefined)
      const columns = statement(cte?.['ctequery'] ?? {}, outer, all)
      const named = listOf(cte?.['aliascolnames']).map((one) => textOf(one['String']?.['sval']))
      all.set(name, named.length > 0 ? new Set(named) : columns)
    }
    return all
  }

  function select(node: Tree, outer: Scope | undefined, given: Ctes): Set<string> | undefined {
    const ctes = withCtes(node, outer, given)
    if (node['larg'] && node['rarg']) {
      const columns = select(node['larg'], outer, ctes)
      select(node['rarg'], outer, ctes)
      return columns
    }
    const scope: Scope = { relations: [], outer, narrowed: new Map() }
    const conditions: Condition[] = []
    for (const item of listOf(node['fromClause'])) from(item, scope, conditions, ctes)
    if (node['whereClause']) conditions.push({ tree: node['whereClause'] })
    settle(scope, conditions, ctes)
    inside(node, scope, ctes, ['withClause', 'fromClause', 'larg', 'rarg'])
    for (const item of listOf(node['fromClause'])) beside(item, scope, ctes)
    return columnsOf(listOf(node['targetList']), scope)
  }

  function changing(node: Tree, outer: Scope | undefined, given: Ctes) {
    const ctes = withCtes(node, outer, given)
    const scope: Scope = { relations: [], outer, narrowed: new Map() }
    const conditions: Condition[] = []
    from({ RangeVar: node['relation'] }, scope, conditions, ctes)
    for (const item of [...listOf(node['fromClause']), ...listOf(node['usingClause'])])
      from(item, scope, conditions, ctes)
    if (node['whereClause']) conditions.push({ tree: node['whereClause'] })
    settle(scope, conditions, ctes)
    if (node['targetList']) assigned(listOf(node['targetList']), scope)
    inside(node, scope, ctes, ['withClause', 'relation', 'fromClause', 'usingClause'])
    for (const item of [...listOf(node['fromClause']), ...listOf(node['usingClause'])])
      beside(item, scope, ctes)
    return columnsOf(returned(node), scope)
  }

  /** What a row is made to refer to must be the workspace's too. */
  function assigned(targets: Tree[], scope: Scope) {
    const [{ table, name } = { name: '' }] = scope.relations as [Relation | undefined]
    for (const { ResTarget: target } of targets) {
      const column = textOf(target?.['name'])
      if (!table || !(table.references.has(column) || column === table.workspace)) continue
      const { params } = sourceOf(target?.['val'] ?? {}, scope)
      if (params.length > 0) found.push({ table: name, by: 'key', columns: [column], params })
    }
  }

  function insert(node: Tree, outer: Scope | undefined, given: Ctes) {
    const ctes = withCtes(node, outer, given)
    const name = textOf(node['relation']?.['relname'])
    const table = catalogue.get(name)
    const scope: Scope = { relations: [], outer, narrowed: new Map() }
    from({ RangeVar: node['relation'] }, scope, [], ctes)
    const rows = node['selectStmt']?.['SelectStmt']
    if (rows) select(rows, outer, ctes)
    if (table) {
      const columns = listOf(node['cols']).map((one) => textOf(one['ResTarget']?.['name']))
      const lists = listOf(rows?.['valuesLists']).map((one) => listOf(one['List']?.['items']))
      const selected = listOf(rows?.['targetList']).map((one) => one['ResTarget']?.['val'] ?? {})
      const values = lists.length > 0 ? lists : [selected]
      const paramsOf = (wanted: (column: string) => boolean) =>
        values.flatMap((row) =>
          row.flatMap((value, i) =>
            wanted(columns[i] ?? '') && value ? sourceOf(value, scope).params : [],
          ),
        )
      const kept = columns.filter(
        (column) => column === table.workspace || table.references.has(column),
      )
      const finding: Finding = {
        table: name,
        by: kept.length > 0 ? 'key' : 'none',
        columns: kept,
        params: paramsOf((column) => kept.includes(column)),
        made: paramsOf((column) => table.keys.has(column) && !table.references.has(column)),
      }
      found.push(finding)
      scope.narrowed.set(scope.relations[0]?.alias ?? '', finding)
    }
    inside(node, scope, ctes, ['withClause', 'relation', 'selectStmt'])
    return columnsOf(returned(node), scope)
  }

  function from(item: Tree, scope: Scope, conditions: Condition[], ctes: Ctes) {
    const { RangeVar: table, JoinExpr: join, RangeSubselect: sub, RangeFunction: called } = item
    if (table) {
      const name = textOf(table['relname'])
      const alias = textOf(table['alias']?.['aliasname']) || name
      if (ctes.has(name) && !table['schemaname'])
        scope.relations.push({ alias, name, columns: ctes.get(name) })
      else {
        const known = catalogue.get(name)
        scope.relations.push({
          alias,
          name,
          columns: known?.columns,
          ...(known && { table: known }),
        })
      }
    } else if (join) {
      const before = scope.relations.length
      from(join['larg'] ?? {}, scope, conditions, ctes)
      const middle = scope.relations.length
      from(join['rarg'] ?? {}, scope, conditions, ctes)
      const left = scope.relations.slice(before, middle).map(({ alias }) => alias)
      const right = scope.relations.slice(middle).map(({ alias }) => alias)
      // What an outer join keeps without a match is not narrowed by its condition.
      const type = textOf(join['jointype'])
      const only =
        type === 'JOIN_LEFT'
          ? right
          : type === 'JOIN_RIGHT'
            ? left
            : type === 'JOIN_FULL'
              ? []
              : undefined
      if (join['quals'])
        conditions.push({ tree: join['quals'], ...(only && { only: new Set(only) }) })
    } else if (sub) {
      // Its columns are needed now; it is looked through when what stands beside it is narrowed (lateral).
      const kept = found.length
      const columns = statement(sub['subquery'] ?? {}, scope, ctes)
      found.length = kept
      scope.relations.push({ ...named(sub), columns })
    } else if (called) scope.relations.push({ ...named(called), columns: undefined })
  }

  /** Subselects that stand in FROM, and those in the conditions of joins. */
  function beside(item: Tree, scope: Scope, ctes: Ctes) {
    const { JoinExpr: join, RangeSubselect: sub, RangeFunction: called } = item
    if (sub) statement(sub['subquery'] ?? {}, scope, ctes)
    else if (called) inside(called, scope, ctes)
    else if (join) {
      for (const side of [join['larg'], join['rarg']]) beside(side ?? {}, scope, ctes)
      inside({ quals: join['quals'] }, scope, ctes)
    }
  }

  function named(item: Tree): Relation {
    const alias = textOf(item['alias']?.['aliasname'])
    return { alias, name: alias }
  }

  /** Narrows what can be narrowed, the surest way first, and notes how. */
  function settle(scope: Scope, conditions: Condition[], ctes: Ctes) {
    const tenants = scope.relations.filter(({ table }) => table)
    const ways = ['workspace', 'join', 'key'] as const
    for (let going = true; going; ) {
      going = false
      search: for (const by of ways)
        for (const relation of tenants) {
          if (scope.narrowed.has(relation.alias)) continue
          const finding = together(
            conditions
              .filter(({ only }) => !only || only.has(relation.alias))
              .map(({ tree }) => narrows(tree, relation, scope, by, ctes)),
          )
          if (!finding) continue
          scope.narrowed.set(relation.alias, finding)
          found.push(finding)
          going = true
          break search
        }
    }
    for (const { alias, name } of tenants) {
      if (scope.narrowed.has(alias)) continue
      const finding: Finding = { table: name, by: 'none', columns: [], params: [] }
      // Noted once; what hangs on it is judged as if it were narrowed.
      scope.narrowed.set(alias, finding)
      found.push(finding)
    }
  }

  /** Whether a condition, when it holds, leaves of a table only rows of one workspace; and by what. */
  function narrows(
    tree: Tree,
    relation: Relation,
    scope: Scope,
    by: 'workspace' | 'join' | 'key',
    ctes: Ctes,
  ): Finding | undefined {
    const { BoolExpr: bool, A_Expr: compare, SubLink: link } = tree
    if (bool) {
      const parts = listOf(bool['args']).map((part) => narrows(part, relation, scope, by, ctes))
      const kind = textOf(bool['boolop'])
      if (kind === 'AND_EXPR') return together(parts)
      if (kind === 'OR_EXPR' && parts.every(Boolean)) return merged(parts as Finding[])
      return undefined
    }
    if (compare) {
      const kind = textOf(compare['kind'])
      if (nameOf(compare['name']) !== '=') return undefined
      if (!['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(kind)) return undefined
      const [left, right] = [compare['lexpr'], compare['rexpr']]
      return equal(left, right, relation, scope, by) ?? equal(right, left, relation, scope, by)
    }
    const type = textOf(link?.['subLinkType'])
    if (link && type === 'ANY_SUBLINK' && !link['operName'])
      return equal(link['testexpr'], tree, relation, scope, by)
    if (link && type === 'EXISTS_SUBLINK') return correlated(link, relation, scope, by, ctes)
    return undefined
  }

  /** `exists (select from b where b.a = a.id and b.workspace = …)` narrows a by what narrows b. */
  function correlated(
    link: Tree,
    relation: Relation,
    scope: Scope,
    by: 'workspace' | 'join' | 'key',
    ctes: Ctes,
  ): Finding | undefined {
    const node = link['subselect']?.['SelectStmt']
    if (!node || node['larg']) return undefined
    const kept = found.length
    const within: Scope = { relations: [], outer: scope, narrowed: new Map() }
    const conditions: Condition[] = []
    for (const item of listOf(node['fromClause'])) from(item, within, conditions, ctes)
    if (node['whereClause']) conditions.push({ tree: node['whereClause'] })
    settle(within, conditions, ctes)
    // It is looked through in its own right later on; here it is only asked.
    const sound = found.slice(kept).every((finding) => finding.by !== 'none')
    found.length = kept
    if (!sound) return undefined
    for (const { tree, only } of conditions) {
      if (only) continue
      const finding = narrows(tree, relation, { ...within, outer: scope }, by, ctes)
      if (finding) return finding
    }
    return undefined
  }

  function equal(
    side: Tree | undefined,
    other: Tree | undefined,
    relation: Relation,
    scope: Scope,
    by: 'workspace' | 'join' | 'key',
  ): Finding | undefined {
    const column = side && columnOf(side, scope)
    if (!column || column.relation !== relation || !other) return undefined
    const { table, name } = relation
    if (!table) return undefined
    const isWorkspace = column.name === table.workspace
    if (!isWorkspace && !table.keys.has(column.name)) return undefined
    const source = sourceOf(other, scope)
    if (!source.relations.every((alias) => isNarrowed(alias, scope, relation))) return undefined
    const joined = source.relations.length > 0 || source.params.length === 0
    const way = isWorkspace ? 'workspace' : joined ? 'join' : 'key'
    if (way !== by) return undefined
    return { table: name, by, columns: [column.name], params: source.params }
  }

  function isNarrowed(alias: string, scope: Scope | undefined, not: Relation): boolean {
    for (let at = scope; at; at = at.outer) {
      const relation = at.relations.find((one) => one.alias === alias)
      if (!relation) continue
      return relation !== not && (!relation.table || at.narrowed.has(alias))
    }
    return false
  }

  /** What a value is made of: parameters, and columns of relations. */
  function sourceOf(tree: Tree, scope: Scope): Source {
    const source: Source = { params: [], relations: [] }
    const walk = (node: Tree) => {
      if (node['ParamRef']) source.params.push(numberOf(node['ParamRef']['number']))
      else if (node['ColumnRef']) {
        const column = columnOf(node, scope)
        source.relations.push(column ? column.relation.alias : '?')
      }
      // A subselect is judged for itself; what comes out of it is as narrow as it is.
      else if (!node['SubLink']) for (const child of below(node)) walk(child)
    }
    walk(tree)
    return source
  }

  function columnOf(tree: Tree, scope: Scope): { relation: Relation; name: string } | undefined {
    const cast = tree['TypeCast']
    if (cast?.['arg']) return columnOf(cast['arg'], scope)
    const fields = listOf(tree['ColumnRef']?.['fields'])
    if (fields.length === 0) return undefined
    const name = textOf(fields.at(-1)?.['String']?.['sval'])
    const alias = fields.length > 1 ? textOf(fields.at(-2)?.['String']?.['sval']) : undefined
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const relation = alias
        ? at.relations.find((one) => one.alias === alias)
        : (at.relations.find((one) => one.columns?.has(name)) ??
          at.relations.find((one) => !one.columns))
      if (relation) return { relation, name }
    }
    return undefined
  }

  /** Every subselect in what belongs to a scope, wherever it stands. */
  function inside(node: Tree, scope: Scope, ctes: Ctes, but: string[] = []) {
    for (const [member, value] of Object.entries(node)) {
      if (but.includes(member)) continue
      for (const child of Array.isArray(value) ? (value as Tree[]) : [value]) {
        if (!isBranch(child)) continue
        const link = child['SubLink']
        if (link) {
          if (link['testexpr']) inside({ test: link['testexpr'] }, scope, ctes)
          statement(link['subselect'] ?? {}, scope, ctes)
        } else inside(child, scope, ctes)
      }
    }
  }

  function columnsOf(targets: Tree[], scope: Scope): Set<string> | undefined {
    const names = new Set<string>()
    for (const { ResTarget: target } of targets) {
      const fields = listOf(target?.['val']?.['ColumnRef']?.['fields'])
      if (fields.at(-1)?.['A_Star']) {
        const alias = textOf(fields.at(-2)?.['String']?.['sval'])
        for (const relation of scope.relations) {
          if (alias && relation.alias !== alias) continue
          if (!relation.columns) return undefined
          for (const name of relation.columns) names.add(name)
        }
      } else names.add(textOf(target?.['name']) || textOf(fields.at(-1)?.['String']?.['sval']))
    }
    return names
  }
}

const returned = (node: Tree) => listOf(node['returningClause']?.['exprs'] ?? node['returningList'])

function together(findings: (Finding | undefined)[]): Finding | undefined {
  const [first, ...others] = findings.flatMap((one) => (one ? [one, ...(one.others ?? [])] : []))
  return first && { ...first, ...(others.length > 0 && { others }) }
}

function merged(findings: Finding[]): Finding {
  const [first] = findings as [Finding]
  return {
    ...first,
    others: [],
    columns: [...new Set(findings.flatMap(({ columns }) => columns))],
    params: findings.flatMap(({ params }) => params),
  }
}
