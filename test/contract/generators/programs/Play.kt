import java.util.UUID
import org.openapitools.client.apis.ConversationsApi
import org.openapitools.client.apis.OperationsApi
import org.openapitools.client.apis.PeopleApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.models.NewConversation
import org.openapitools.client.models.NewPerson

fun main() {
    val url = System.getenv("API_URL")
    val email = System.getenv("PERSON")
    ApiClient.accessToken = System.getenv("API_TOKEN")
    ApiClient.builder.readTimeout(40, java.util.concurrent.TimeUnit.SECONDS)

    val people = PeopleApi(url)
    val made = UUID.randomUUID().toString()
    val card = NewPerson(name = "Ines Caldeira", email = email)
    val person = people.createPerson(made, card).id
    val again = people.createPerson(made, card).id
    val listed = people.listPeople(email = email).people.map { it.id }

    val key = UUID.randomUUID().toString()
    val letter = NewConversation(person = person, via = System.getenv("VIA"), text = "Hello.")
    repeat(2) { ConversationsApi(url).openConversation(key, letter) }
    val state = OperationsApi(url).getOperation(key, 25).state
    val ids = listed.joinToString { "\"$it\"" }
    println("""{"person":"$person","again":"$again","listed":[$ids],"state":"$state"}""")
}
