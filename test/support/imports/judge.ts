import { type Floor, floors, orders, rooms } from './directions.ts'
import { type Import, importsIn } from './read.ts'

// What is wrong with the imports of files, in sentences that name the file.

/** Texts of files, by their paths from the root of the repository. */
export type Files = Record<string, string>

export function breachesIn(files: Files): string[] {
  const imports = Object.entries(files).flatMap(([path, text]) => importsIn(path, text))
  return [
    ...Object.keys(files).flatMap((path) => (floorOf(path) ? [] : `${path} stands on no floor.`)),
    ...imports.flatMap((one) => againstFloors(one) ?? againstDoors(one) ?? againstOrder(one) ?? []),
    ...circlesIn(imports).map((circle) => `A circle of imports: ${circle.join(' → ')}.`),
  ]
}

const lies = (path: string, place: string) =>
  path === place || (place.endsWith('/') && path.startsWith(place))

const floorOf = (path: string): Floor | undefined => floors.find(({ place }) => lies(path, place))

function againstFloors({ from, target, types }: Import): string | undefined {
  const floor = floorOf(from)
  if (!floor || lies(target, floor.place)) return undefined
  const { imports, types: asTypes = [], packages = [] } = floor
  const isOurs = floorOf(target) !== undefined || target === 'package.json'
  const isFree = isOurs
    ? [...imports, ...(types ? asTypes : [])].some((place) => lies(target, place))
    : !packages.some((name) => target === name || (/[:/]$/.test(name) && target.startsWith(name)))
  return isFree ? undefined : `${from} imports ${target}${types ? ' for types' : ''}.`
}

function againstDoors({ from, target }: Import): string | undefined {
  const room = rooms.find(({ place }) => lies(target, place))
  if (!room || lies(from, room.place) || lies(from, 'test/')) return undefined
  return room.doors.some((door) => lies(target, `${room.place}${door}`))
    ? undefined
    : `${from} imports ${target}, which is no door of ${room.place}.`
}

/** The place of a path in an order: the innermost room that it lies in. */
function roomOf(path: string, order: string[]): number {
  const rooms = order.filter((room) => lies(path, room))
  const innermost = rooms.sort((one, other) => other.length - one.length)[0]
  return innermost === undefined ? -1 : order.indexOf(innermost)
}

function againstOrder({ from, target }: Import): string | undefined {
  for (const order of orders) {
    const [own, other] = [roomOf(from, order), roomOf(target, order)]
    if (own >= 0 && other > own)
      return `${from} imports ${target}: ${order[other]} comes after ${order[own]}.`
  }
  return undefined
}

/** Each circle of files as the way around it; types count. A file that two circles share is named for one of them. */
function circlesIn(imports: Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const circles: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (path: string) => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push([...way.slice(at), path])
    if (at >= 0 || done.has(path)) return
    way.push(path)
    for (const { target } of targets.get(path) ?? []) visit(target)
    way.pop()
    done.add(path)
  }
  for (const path of targets.keys()) visit(path)
  return circles
}
