describe('a file that ends its process', () => {
  it('says something first', () => {
    console.log('the last words')
    process.exit(3)
  })
})
