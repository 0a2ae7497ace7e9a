// The values of something new where the file says nothing.

export const usualLimits = {
  email: { limitDay: 50, limitWeek: 250, gapSeconds: 30 },
  professional_network: { limitDay: 20, limitWeek: 100, gapSeconds: 30 },
  messenger: { limitDay: 20, limitWeek: 100, gapSeconds: 30 },
}

/** The hours of an agent, in the workspace's zone. */
export const usualHours = { from: '09:00', to: '18:00', daysOff: [] as string[] }
